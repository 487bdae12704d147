console.log('works');
console.log('ok: it is good');

// Prints:
//   works
//   ok: it is good
