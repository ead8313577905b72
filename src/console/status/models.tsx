import { bytes } from "../format.ts";
import { useLoad } from "../hooks.ts";
import { type Model, operations } from "../operations.ts";
import { Badge, Card, ErrorNote, Skeleton, Table } from "../ui/index.ts";

/** What a task is, by the manifest's word for it; another one is shown as it is. */
const TASKS: Record<string, string> = {
  "text-embedding": "Meaning of English text, as vectors",
  "multilingual-embedding": "Meaning of text in other languages, as vectors",
  reranking: "Reads the best hits again, with the query",
  entailment: "Judges whether a source supports a claim",
  "image-classification": "What a picture shows",
  "text-recognition": "Text in pictures",
  "page-layout": "Figures, tables and titles on a page",
  "speech-recognition": "What is said",
  "sound-events": "What is heard",
  "voice-activity": "Where somebody speaks",
};

/** The models inside the executable, with their licences. */
export function Models() {
  const { data, error, reload } = useLoad(operations.models, []);
  return (
    <Card title="Models">
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {data === null && error === null && <Skeleton lines={5} label="Loading the models" />}
      {data !== null && (
        <Table
          caption="Models inside the executable"
          rows={data.models}
          keyOf={({ name }) => name}
          columns={[
            { title: "Model", lead: true, cell: Name },
            { title: "Does", cell: ({ task }) => TASKS[task] ?? task },
            { title: "Licence", cell: ({ licence }) => licence },
            { title: "Size", numeric: true, cell: (model) => bytes(model.bytes) },
          ]}
        />
      )}
    </Card>
  );
}

function Name({ name, dims, included }: Model) {
  return (
    <>
      <strong class="break">{name}</strong> {!included && <Badge tone="warn">left out of this build</Badge>}
      {dims !== null && <p class="muted small">{dims} dimensions</p>}
    </>
  );
}
