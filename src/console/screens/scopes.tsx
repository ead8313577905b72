import type { ScreenProps } from "../router.ts";
import { PageHead } from "../ui/index.ts";

export function ScopesScreen(_props: ScreenProps) {
  return <PageHead title="Scopes" />;
}
