/** Server-Sent Events as a client reads them. */
export interface ServerEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  data: any;
}

/** The events of a stream's text, whole ones alone; comment lines are passed over. */
export function eventsIn(text: string): ServerEvent[] {
  const blocks = text.split("\n\n").slice(0, -1);
  return blocks
    .filter((block) => !block.startsWith(":"))
    .map((block) => {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}
