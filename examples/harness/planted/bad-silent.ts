console.log('ends without a word on how it went');
