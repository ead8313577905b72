/**
 * The files of the media models, inside the executable or in the checkout. They are read in place and never
 * unpacked. `build.ts --without media` leaves this module empty.
 */
import imageClassifierClassifierOnnx from "../../models/image-classifier/classifier.onnx" with { type: "file" };
import imageClassifierLabelVectorsBgeSmallEnV15F32 from "../../models/image-classifier/label-vectors.bge-small-en-v1.5.f32" with { type: "file" };
import imageClassifierLabelsJson from "../../models/image-classifier/labels.json" with { type: "file" };
import imageClassifierFixtureClockPng from "../../models/image-classifier/fixture/clock.png" with { type: "file" };
import imageClassifierFixtureExpectedJson from "../../models/image-classifier/fixture/expected.json" with { type: "file" };
import imageClassifierFixtureSignalPng from "../../models/image-classifier/fixture/signal.png" with { type: "file" };
import ppocrDetOnnx from "../../models/ppocr/det.onnx" with { type: "file" };
import ppocrKeysLatinTxt from "../../models/ppocr/keys-latin.txt" with { type: "file" };
import ppocrKeysTxt from "../../models/ppocr/keys.txt" with { type: "file" };
import ppocrRecLatinOnnx from "../../models/ppocr/rec-latin.onnx" with { type: "file" };
import ppocrRecOnnx from "../../models/ppocr/rec.onnx" with { type: "file" };
import ppocrFixtureExpectedJson from "../../models/ppocr/fixture/expected.json" with { type: "file" };
import ppocrFixturePagePng from "../../models/ppocr/fixture/page.png" with { type: "file" };
import pageLayoutLayoutOnnx from "../../models/page-layout/layout.onnx" with { type: "file" };
import pageLayoutFixtureExpectedJson from "../../models/page-layout/fixture/expected.json" with { type: "file" };
import pageLayoutFixturePagePng from "../../models/page-layout/fixture/page.png" with { type: "file" };
import whisperTinyEnDecoderOnnx from "../../models/whisper-tiny-en/decoder.onnx" with { type: "file" };
import whisperTinyEnEncoderOnnx from "../../models/whisper-tiny-en/encoder.onnx" with { type: "file" };
import whisperTinyEnFrontendOnnx from "../../models/whisper-tiny-en/frontend.onnx" with { type: "file" };
import whisperTinyEnGenerationJson from "../../models/whisper-tiny-en/generation.json" with { type: "file" };
import whisperTinyEnTokenizerJson from "../../models/whisper-tiny-en/tokenizer.json" with { type: "file" };
import whisperTinyEnFixtureFixtureJson from "../../models/whisper-tiny-en/fixture/fixture.json" with { type: "file" };
import whisperTinyEnFixtureJfkWav from "../../models/whisper-tiny-en/fixture/jfk.wav" with { type: "file" };
import whisperTinyEnFixtureMelF32 from "../../models/whisper-tiny-en/fixture/mel.f32" with { type: "file" };
import yamnetFrontendOnnx from "../../models/yamnet/frontend.onnx" with { type: "file" };
import yamnetLabelVectors from "../../models/yamnet/label-vectors.bge-small-en-v1.5.f32" with { type: "file" };
import yamnetLabelsJson from "../../models/yamnet/labels.json" with { type: "file" };
import yamnetYamnetOnnx from "../../models/yamnet/yamnet.onnx" with { type: "file" };
import yamnetFixtureAudioS16 from "../../models/yamnet/fixture/audio.s16" with { type: "file" };
import yamnetFixtureEmbeddingF32 from "../../models/yamnet/fixture/embedding.f32" with { type: "file" };
import yamnetFixtureFixtureJson from "../../models/yamnet/fixture/fixture.json" with { type: "file" };
import yamnetFixtureLogMelF32 from "../../models/yamnet/fixture/log_mel.f32" with { type: "file" };
import yamnetFixtureScoresF32 from "../../models/yamnet/fixture/scores.f32" with { type: "file" };
import sileroVadSileroVad16kSequenceOnnx from "../../models/silero-vad/silero_vad_16k_sequence.onnx" with { type: "file" };
import sileroVadFixtureFixtureJson from "../../models/silero-vad/fixture/fixture.json" with { type: "file" };
import sileroVadFixtureProbabilitiesF32 from "../../models/silero-vad/fixture/probabilities.f32" with { type: "file" };
import sileroVadFixtureSpeechWav from "../../models/silero-vad/fixture/speech.wav" with { type: "file" };

/** Path by `model/file`. TypeScript takes some of these imports for the files' content. */
export const MEDIA_FILES = {
  "image-classifier/classifier.onnx": imageClassifierClassifierOnnx,
  "image-classifier/label-vectors.bge-small-en-v1.5.f32": imageClassifierLabelVectorsBgeSmallEnV15F32,
  "image-classifier/labels.json": imageClassifierLabelsJson,
  "image-classifier/fixture/clock.png": imageClassifierFixtureClockPng,
  "image-classifier/fixture/expected.json": imageClassifierFixtureExpectedJson,
  "image-classifier/fixture/signal.png": imageClassifierFixtureSignalPng,
  "ppocr/det.onnx": ppocrDetOnnx,
  "ppocr/keys-latin.txt": ppocrKeysLatinTxt,
  "ppocr/keys.txt": ppocrKeysTxt,
  "ppocr/rec-latin.onnx": ppocrRecLatinOnnx,
  "ppocr/rec.onnx": ppocrRecOnnx,
  "ppocr/fixture/expected.json": ppocrFixtureExpectedJson,
  "ppocr/fixture/page.png": ppocrFixturePagePng,
  "page-layout/layout.onnx": pageLayoutLayoutOnnx,
  "page-layout/fixture/expected.json": pageLayoutFixtureExpectedJson,
  "page-layout/fixture/page.png": pageLayoutFixturePagePng,
  "whisper-tiny-en/decoder.onnx": whisperTinyEnDecoderOnnx,
  "whisper-tiny-en/encoder.onnx": whisperTinyEnEncoderOnnx,
  "whisper-tiny-en/frontend.onnx": whisperTinyEnFrontendOnnx,
  "whisper-tiny-en/generation.json": whisperTinyEnGenerationJson,
  "whisper-tiny-en/tokenizer.json": whisperTinyEnTokenizerJson,
  "whisper-tiny-en/fixture/fixture.json": whisperTinyEnFixtureFixtureJson,
  "whisper-tiny-en/fixture/jfk.wav": whisperTinyEnFixtureJfkWav,
  "whisper-tiny-en/fixture/mel.f32": whisperTinyEnFixtureMelF32,
  "yamnet/frontend.onnx": yamnetFrontendOnnx,
  "yamnet/label-vectors.bge-small-en-v1.5.f32": yamnetLabelVectors,
  "yamnet/labels.json": yamnetLabelsJson,
  "yamnet/yamnet.onnx": yamnetYamnetOnnx,
  "yamnet/fixture/audio.s16": yamnetFixtureAudioS16,
  "yamnet/fixture/embedding.f32": yamnetFixtureEmbeddingF32,
  "yamnet/fixture/fixture.json": yamnetFixtureFixtureJson,
  "yamnet/fixture/log_mel.f32": yamnetFixtureLogMelF32,
  "yamnet/fixture/scores.f32": yamnetFixtureScoresF32,
  "silero-vad/silero_vad_16k_sequence.onnx": sileroVadSileroVad16kSequenceOnnx,
  "silero-vad/fixture/fixture.json": sileroVadFixtureFixtureJson,
  "silero-vad/fixture/probabilities.f32": sileroVadFixtureProbabilitiesF32,
  "silero-vad/fixture/speech.wav": sileroVadFixtureSpeechWav,
} as unknown as Record<string, string>;
