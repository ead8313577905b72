import type { ScreenProps } from "../router.ts";
import { PageHead } from "../ui/index.ts";

export function TokensScreen(_props: ScreenProps) {
  return <PageHead title="Tokens" />;
}
