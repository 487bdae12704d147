console.log('ok: or so it says');
process.exitCode = 1;
