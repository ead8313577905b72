import { useCallback, useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  /** What came last; stays while it is asked for again. */
  data: T | null;
  error: unknown;
  loading: boolean;
  reload(): void;
}

/** Asks for something when `inputs` change; the former request is aborted. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ data: null, error: null, loading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    setState(({ data }) => ({ data, error: null, loading: true }));
    load(signal).then(
      (data) => signal.aborted || setState({ data, error: null, loading: false }),
      (error: unknown) => signal.aborted || setState(({ data }) => ({ data, error, loading: false })),
    );
    return () => aborting.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}

/** A value once it has not changed for `ms`. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** The address of bytes that are asked for here, for a picture, a sound or a film; null until they are here. */
export function useObjectUrl(load: (signal: AbortSignal) => Promise<Blob>, inputs: readonly unknown[]): { url: string | null; error: unknown } {
  const { data, error } = useLoad(load, inputs);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (data === null) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return { url, error };
}
