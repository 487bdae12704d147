console.log('ok: but it never ends');
setInterval(() => {}, 1000);
