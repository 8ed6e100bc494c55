// An execution environment of Lambda: loads a function and tells its parent how long Node and that
// took, in milliseconds. Then it calls the function with each event that the parent sends, and
// answers with the time and the status of the call. Argument: the module. Plain JavaScript, so that
// nothing else is loaded.
const boot = performance.now();
const { handler } = await import(process.argv[2]);
process.send({ boot, initialisation: performance.now() - boot });

process.on('message', async (event) => {
  const deadline = Date.now() + 20_000;
  const context = {
    awsRequestId: 'bench',
    functionName: 'bench',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  const called = performance.now();
  try {
    const { statusCode, body } = await handler(event, context);
    const ms = performance.now() - called;
    process.send({ ms, statusCode, body: statusCode === 200 ? '' : body });
  } catch (error) {
    process.send({ ms: performance.now() - called, statusCode: 500, body: String(error) });
  }
});
process.on('disconnect', () => process.exit());
