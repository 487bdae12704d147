console.log('❌ something did not work');
console.log('ok: or so it says');
