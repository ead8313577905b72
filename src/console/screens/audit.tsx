import type { ScreenProps } from "../router.ts";
import { PageHead } from "../ui/index.ts";

export function AuditScreen(_props: ScreenProps) {
  return <PageHead title="Audit" />;
}
