/** The tabs of a browser share the session's cookie: each tells the others when somebody signs in or out. */
const channel = new BroadcastChannel("strata.session");

export function tellOtherTabs(): void {
  channel.postMessage("changed");
}

/** Calls `listener` when somebody has signed in or out in another tab. Returns what ends that. */
export function onOtherTab(listener: () => void): () => void {
  channel.addEventListener("message", listener);
  return () => channel.removeEventListener("message", listener);
}
