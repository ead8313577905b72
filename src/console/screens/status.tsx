import type { ScreenProps } from "../router.ts";
import { PageHead } from "../ui/index.ts";

export function StatusScreen(_props: ScreenProps) {
  return <PageHead title="Status" />;
}
