document.body.textContent = 'The API of the console is running.';
