// Needs: browser
throw new Error('is not run');
