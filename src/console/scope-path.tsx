import { Fragment } from "preact";

/** A scope's path, which a line may break behind any of its slashes. */
export function ScopePath({ path }: { path: string }) {
  const [root, ...below] = path.split("/");
  return (
    <>
      {root}
      {below.map((segment, depth) => (
        <Fragment key={depth}>
          /<wbr />
          {segment}
        </Fragment>
      ))}
    </>
  );
}
