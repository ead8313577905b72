/** Tables as the ports show them. Their methods run SQL at once; a port's methods give promises, and end with their transaction. */

/** The same methods, each giving a promise. */
export type Promised<T> = {
  [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/** `usable` throws once nothing may be asked any more. */
export function promised<T extends object>(table: T, usable: () => void = () => {}): Promised<T> {
  const get =
    (target: T, name: string | symbol) =>
    async (...args: unknown[]) => {
      usable();
      return (Reflect.get(target, name) as (...args: unknown[]) => unknown).apply(target, args);
    };
  return new Proxy(table, { get }) as unknown as Promised<T>;
}
