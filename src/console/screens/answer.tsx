import type { ScreenProps } from "../router.ts";
import { PageHead } from "../ui/index.ts";

export function AnswerScreen(_props: ScreenProps) {
  return <PageHead title="Answer" />;
}
