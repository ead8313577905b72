/** What the search shows before anything is searched for: what to try, or what to do first in an empty namespace. */
import { demoQuestions } from "../demo.ts";
import { useLoad } from "../hooks.ts";
import { operations } from "../operations.ts";
import { linkTo } from "../router.ts";
import { may, useSession } from "../session.tsx";
import { Empty, Icon } from "../ui/index.ts";

export function Examples({ onChoose }: { onChoose(query: string): void }) {
  const session = useSession();
  const { data: first } = useLoad((signal) => operations.units({ limit: 1, scope: "*" }, signal), []);
  const { data: questions } = useLoad((signal) => demoQuestions(session.context.principal.namespace, signal), []);
  if (first !== null && first.units.length === 0) return <Nothing mayWrite={may(session, "write")} />;
  return (
    <Empty icon="search" title="What are you looking for?">
      <p>
        Texts, pages, pictures, sound and logs are one list. Words in quotes are looked for as they stand; what is near in meaning is found beside
        them.
      </p>
      {questions !== null && questions.length > 0 && (
        <div class="suggestions">
          {questions.map((question) => (
            <button key={question} type="button" class="suggestion" onClick={() => onChoose(question)}>
              {question}
            </button>
          ))}
        </div>
      )}
      <p class="small">
        <kbd>/</kbd> comes back here, <kbd>↓</kbd> <kbd>↑</kbd> move through results, <kbd>Enter</kbd> opens one.
      </p>
    </Empty>
  );
}

function Nothing({ mayWrite }: { mayWrite: boolean }) {
  return (
    <Empty icon="files" title="There is nothing to find yet">
      <p>
        {mayWrite
          ? "Add documents, pictures, recordings or logs; they are found as soon as they are read."
          : "Nothing that you may read is stored here."}
      </p>
      {mayWrite && (
        <a class="button primary" href={linkTo(["files"])}>
          <Icon name="upload" size={17} />
          <span>Add files</span>
        </a>
      )}
    </Empty>
  );
}
