console.log('ok: but something else');

// Prints:
//   ok: what it promised
