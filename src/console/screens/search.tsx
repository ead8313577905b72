import type { ScreenProps } from "../router.ts";
import { PageHead } from "../ui/index.ts";

export function SearchScreen(_props: ScreenProps) {
  return <PageHead title="Search" />;
}
