import { Icon } from "../ui/index.ts";

/** Where a Unit stands in its document, outermost first. */
export function Breadcrumb({ path }: { path: readonly string[] | undefined }) {
  if (path === undefined || path.length === 0) return null;
  return (
    <p class="breadcrumb">
      {path.map((part, at) => (
        <span key={at}>
          {at > 0 && <Icon name="right" size={12} />}
          <bdi>{part}</bdi>
        </span>
      ))}
    </p>
  );
}
