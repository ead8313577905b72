import type { ScreenProps } from "../router.ts";
import { PageHead } from "../ui/index.ts";

export function UnitsScreen(_props: ScreenProps) {
  return <PageHead title="Units" />;
}
