// Measures the long tasks of the main thread.
//
// `longtask` entries measure wall-clock time. On a busy machine that is mostly waiting for a CPU core, or for a
// software GPU. So this uses the trace of the browser, which also has the CPU time of each task (`tdur`).

/**
 * Starts recording the tasks of a page. The returned function stops the recording and returns the tasks above 50 ms.
 */
export async function longTasks(page) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) if (event.ph === "X" || event.ph === "M") events.push(event);
  });
  const traceConfig = { recordMode: "recordContinuously", includedCategories: ["toplevel", "__metadata"], excludedCategories: ["*"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  return async () => {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    return tasksOfPages(events);
  };
}

function tasksOfPages(events) {
  const thread = (event) => `${event.pid} ${event.tid}`;
  const named = events.filter((event) => event.name === "thread_name" && event.args.name === "CrRendererMain");
  const pages = new Set(named.map(thread));
  const tasks = events.filter((event) => event.name === "ThreadControllerImpl::RunTask" && pages.has(thread(event)));
  return tasks
    .map((event) => ({ milliseconds: (event.tdur ?? event.dur) / 1000, clock: event.dur / 1000 }))
    .filter((task) => task.milliseconds > 50);
}
