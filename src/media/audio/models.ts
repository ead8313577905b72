/** The models of hearing together: who speaks and what is said, and what is heard. */
import { assert } from "../../base/fault.ts";
import { SPEECH_CONFIDENCE_MIN } from "../../base/limits.ts";
import { once } from "../../base/once.ts";
import type { Features } from "../../domain/media.ts";
import type { Samples, Speech } from "../models.ts";
import { SAMPLE_RATE_HZ } from "../models.ts";
import { speechWindow } from "./speech-window.ts";
import { openVad, type SpeechSpan, speechSpans } from "./vad.ts";
import { openWhisper, WHISPER_WINDOW_SAMPLES } from "./whisper.ts";
import { openSoundEvents } from "./yamnet.ts";

/** What was said, with the geometric mean of its tokens' probabilities, 0-1. */
export interface RecognisedSpeech extends Speech {
  confidence: number;
}

export interface AudioModels {
  /** What is said in at most 30 s of sound, in order. Empty when nobody speaks. */
  listen(samples: Samples): Promise<RecognisedSpeech[]>;
  /** What is heard: labels, and the embedding. */
  hear(samples: Samples): Promise<Features>;
  /** Names of the labels by their index. */
  labels(): Promise<readonly string[]>;
}

/** The speech model sometimes stops early. It is asked again about what it left, so often at most … */
const LISTENS_MAX = 3;
/** … and only if this much speech is left. */
const UNHEARD_MIN_SAMPLES = 2 * SAMPLE_RATE_HZ;
const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1_000;

/** AudioModels that open each model on first use. They are for one thread: models hold it while they run. */
export function createAudioModels(): AudioModels {
  const vad = once(openVad);
  const whisper = once(openWhisper);
  const events = once(openSoundEvents);

  async function listenTo(samples: Samples, spans: readonly SpeechSpan[]): Promise<RecognisedSpeech[]> {
    const window = speechWindow(samples, spans);
    const { segments } = await (await whisper()).transcribe(window.samples);
    return segments
      .filter(({ confidence }) => confidence >= SPEECH_CONFIDENCE_MIN)
      .map(({ start, end, text, confidence }) => {
        const first = window.startOf(start);
        const behind = Math.max(first, window.endOf(end));
        return { startMs: Math.round(first / SAMPLES_PER_MS), endMs: Math.round(behind / SAMPLES_PER_MS), text, confidence };
      });
  }

  return {
    async listen(samples) {
      assert(samples.length <= WHISPER_WINDOW_SAMPLES, "ears listen to at most 30 s at once");
      const { probabilities } = await (await vad()).probabilities(samples);
      let spans = speechSpans(probabilities, samples.length);
      const heard: RecognisedSpeech[] = [];
      for (let listen = 0; listen < LISTENS_MAX && spans.length > 0; listen++) {
        const more = await listenTo(samples, spans);
        if (more.length === 0) break;
        heard.push(...more);
        const heardTo = Math.max(...more.map(({ endMs }) => endMs)) * SAMPLES_PER_MS;
        spans = spans.filter(({ end }) => end > heardTo).map(({ start, end }) => ({ start: Math.max(start, heardTo), end }));
        if (spans.reduce((sum, { start, end }) => sum + (end - start), 0) < UNHEARD_MIN_SAMPLES) break;
      }
      return heard;
    },
    hear: async (samples) => (await events()).hear(samples),
    labels: async () => (await events()).labels,
  };
}
