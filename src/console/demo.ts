/** What a service with the demo offers to newcomers: nothing, unless the service says so. */

/** A principal that one may sign in as with a click. */
export interface DemoPrincipal {
  name: string;
  token: string;
  note: string;
}

interface Demo {
  /** Where its data is; null without the demo. */
  namespace: string | null;
  principals: DemoPrincipal[];
  /** What its data has something to say about. */
  questions: string[];
}

const NONE: Demo = { namespace: null, principals: [], questions: [] };

async function demo(signal: AbortSignal): Promise<Demo> {
  const response = await fetch("/console/demo.json", { signal });
  return response.ok ? ((await response.json()) as Demo) : NONE;
}

export async function demoPrincipals(signal: AbortSignal): Promise<DemoPrincipal[]> {
  return (await demo(signal)).principals;
}

/** Questions to try in a namespace; none outside of the demo's. */
export async function demoQuestions(inNamespace: string, signal: AbortSignal): Promise<string[]> {
  const { namespace, questions } = await demo(signal);
  return namespace === inNamespace ? questions : [];
}
