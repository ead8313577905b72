/** The audio models: voice activity detection, speech recognition and sound classification. Each opens on its first use. */
import { assert } from "../../base/fault.ts";
import { SPEECH_CONFIDENCE_MIN } from "../../base/limits.ts";
import { once } from "../../base/once.ts";
import type { Features } from "../../domain/media.ts";
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS, type Samples } from "../models.ts";
import { speechWindow } from "./speech-window.ts";
import { openVad, type SpeechSpan, speechSpans } from "./vad.ts";
import { openWhisper, WHISPER_WINDOW_SAMPLES } from "./whisper.ts";
import { openSoundEvents, soundFeatures } from "./yamnet.ts";

/** A segment of recognised speech. Times from the start of the samples. */
export interface RecognisedSpeech {
  startMs: number;
  endMs: number;
  text: string;
  /** The geometric mean of its tokens' probabilities, 0-1. */
  confidence: number;
}

export interface AudioModels {
  /** The speech in at most 30 s of sound, in order. Empty when nobody speaks. */
  transcribe(samples: Samples): Promise<RecognisedSpeech[]>;
  /** Labels and embedding of the sound as a whole. */
  classify(samples: Samples): Promise<Features>;
}

/** The speech model sometimes stops early. It is run again on the speech behind the last segment, at most this often in all … */
const TRANSCRIPTIONS_MAX = 3;
/** … and only while at least this much speech is left. */
const UNTRANSCRIBED_MIN_SAMPLES = 2 * SAMPLE_RATE_HZ;

/** The models hold their thread while they run. Errors, of each method when it is first called: those of mediaModelFile. */
export function createAudioModels(): AudioModels {
  const vad = once(openVad);
  const whisper = once(openWhisper);
  const events = once(openSoundEvents);

  async function transcribeSpans(samples: Samples, spans: readonly SpeechSpan[]): Promise<RecognisedSpeech[]> {
    const window = speechWindow(samples, spans);
    const { segments } = await (await whisper())(window.samples);
    return segments
      .filter(({ confidence }) => confidence >= SPEECH_CONFIDENCE_MIN)
      .map(({ start, end, text, confidence }) => {
        const first = window.startOf(start);
        const behind = Math.max(first, window.endOf(end));
        return { startMs: Math.round(first / SAMPLES_PER_MS), endMs: Math.round(behind / SAMPLES_PER_MS), text, confidence };
      });
  }

  return {
    async transcribe(samples) {
      assert(samples.length <= WHISPER_WINDOW_SAMPLES, "at most 30 s are transcribed at once");
      const probabilities = await (await vad())(samples);
      let spans = speechSpans(probabilities, samples.length);
      const recognised: RecognisedSpeech[] = [];
      for (let run = 0; run < TRANSCRIPTIONS_MAX && spans.length > 0; run++) {
        const more = await transcribeSpans(samples, spans);
        if (more.length === 0) break;
        recognised.push(...more);
        const transcribedTo = Math.max(...more.map(({ endMs }) => endMs)) * SAMPLES_PER_MS;
        spans = spans.filter(({ end }) => end > transcribedTo).map(({ start, end }) => ({ start: Math.max(start, transcribedTo), end }));
        if (spans.reduce((sum, { start, end }) => sum + (end - start), 0) < UNTRANSCRIBED_MIN_SAMPLES) break;
      }
      return recognised;
    },
    classify: async (samples) => soundFeatures(await (await events())(samples)),
  };
}
