// How long the main thread worked without a pause.
//
// `longtask` entries tell by the clock on the wall how long a task took, which on a busy machine is mostly waiting
// for a processor, and with a software GPU for that. So the browser's own trace is read, in which a task also has
// the time for which its thread worked (`tdur`).

/** Starts watching a page; the answer ends that, and gives the tasks above 50 ms. */
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
