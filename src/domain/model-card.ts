/** A model that the executable was made with, as it is shown to callers. */
export interface ModelCard {
  name: string;
  /** What it does, by the manifest's word: text-embedding, reranking, speech-recognition, … */
  task: string;
  /** Of its vectors; null for one that gives none. */
  dims: number | null;
  licence: string;
  /** Size of its files. */
  bytes: number;
  /** False for one that this build leaves out. */
  included: boolean;
}
