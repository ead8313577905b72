/** Synchronous objects behind ports whose methods give promises. */

/** The same methods, each giving a promise. */
export type Promised<T> = {
  [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/**
 * Methods run when they are called, and what they throw rejects. `usable` throws once nothing may be asked any more; `explain`
 * gives what to reject with instead of what was thrown.
 */
export function promised<T extends object>(
  target: T,
  usable: () => void = () => {},
  explain: (error: unknown) => unknown = (error) => error,
): Promised<T> {
  const get =
    (_: T, name: string | symbol) =>
    async (...args: unknown[]) => {
      usable();
      try {
        return await (Reflect.get(target, name) as (...args: unknown[]) => unknown).apply(target, args);
      } catch (error) {
        throw explain(error);
      }
    };
  return new Proxy(target, { get }) as unknown as Promised<T>;
}
