/** Sounds that can be made from nothing and that people have words for. 16 kHz mono, -1..1. */
import { wav } from "../../support/files.ts";
import { between, chance, normal } from "./chance.ts";

export const RATE_HZ = 16_000;
const SECONDS = 6;

export interface MadeSound {
  name: string;
  /** Names of the labels that are right for it. */
  labels: string[];
  /** Everyday ways to ask for it, and its name. */
  phrases: string[];
  samples(): Float32Array;
}

/** 16-bit WAV. */
export function wavOf(samples: Float32Array): Uint8Array {
  const pcm = Int16Array.from(samples, (value) => Math.round(32_767 * Math.max(-1, Math.min(1, value))));
  return wav(new Uint8Array(pcm.buffer), RATE_HZ);
}

/** `of`: the value at a time in seconds. */
function made(of: (t: number, at: number) => number, seconds = SECONDS): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * RATE_HZ) }, (_, at) => of(at / RATE_HZ, at));
}

const sine = (hz: number, t: number) => Math.sin(2 * Math.PI * hz * t);

/** A tone whose pitch changes: the phase is the sum of what went before. */
function swept(hzAt: (t: number) => number, level: (t: number) => number = () => 0.5, seconds = SECONDS): Float32Array {
  let phase = 0;
  return made((t) => {
    phase += (2 * Math.PI * hzAt(t)) / RATE_HZ;
    return level(t) * Math.sin(phase);
  }, seconds);
}

function white(seed: number, level: number): Float32Array {
  const next = chance(seed);
  return made(() => level * normal(next));
}

/** Paul Kellet's filter: 3 dB an octave. */
function pink(seed: number): Float32Array {
  const next = chance(seed);
  const held = [0, 0, 0];
  return made(() => {
    const noise = normal(next);
    held[0] = 0.99765 * (held[0] ?? 0) + noise * 0.099046;
    held[1] = 0.963 * (held[1] ?? 0) + noise * 0.2965164;
    held[2] = 0.57 * (held[2] ?? 0) + noise * 1.0526913;
    return 0.06 * ((held[0] ?? 0) + (held[1] ?? 0) + (held[2] ?? 0) + noise * 0.1848);
  });
}

/** A first-order low pass of noise. */
function dull(seed: number, keep: number, level: number, shape: (t: number) => number = () => 1): Float32Array {
  const next = chance(seed);
  let held = 0;
  return made((t) => {
    held = keep * held + (1 - keep) * normal(next);
    return level * shape(t) * held;
  });
}

/** Something that happens at times, and dies away. `hit`: its value `t` seconds after it began. */
function struck(times: readonly number[], hit: (t: number, count: number) => number, seconds = SECONDS): Float32Array {
  const out = new Float32Array(Math.round(seconds * RATE_HZ));
  times.forEach((time, count) => {
    const first = Math.round(time * RATE_HZ);
    for (let at = first; at < Math.min(out.length, first + RATE_HZ); at += 1) out[at] = (out[at] ?? 0) + hit((at - first) / RATE_HZ, count);
  });
  return out;
}

const every = (seconds: number, from = 0.2, length = SECONDS) =>
  Array.from({ length: Math.floor((length - from) / seconds) }, (_, at) => from + at * seconds);
const gated = (t: number, on: number, off: number) => (t % (on + off) < on ? 1 : 0);

/** Partials over a ground tone, each dying away at its own pace: a bell, a string. */
function partials(t: number, hz: number, ratios: readonly number[], decay: number): number {
  return ratios.reduce((sum, ratio, at) => sum + (sine(hz * ratio, t) * Math.exp(-t * decay * (1 + at * 0.6))) / (1 + at), 0) * 0.35;
}

export const SOUNDS: readonly MadeSound[] = [
  {
    name: "sine",
    labels: ["Sine wave", "Beep, bleep"],
    phrases: ["a pure test tone", "sine wave"],
    samples: () => made((t) => 0.4 * sine(1_000, t)),
  },
  {
    name: "dial-tone",
    labels: ["Dial tone"],
    phrases: ["picking up the phone and hearing it hum", "dial tone"],
    samples: () => made((t) => 0.25 * (sine(350, t) + sine(440, t))),
  },
  {
    name: "busy-signal",
    labels: ["Busy signal"],
    phrases: ["the line was engaged", "busy signal"],
    samples: () => made((t) => 0.25 * gated(t, 0.5, 0.5) * (sine(480, t) + sine(620, t))),
  },
  {
    name: "dtmf",
    labels: ["Telephone dialing, DTMF"],
    phrases: ["somebody dialling a number on the keypad", "touch tone dialling"],
    samples: () =>
      made((t) => {
        const key = Math.floor(t / 0.3);
        const low = [697, 770, 852, 941][(key * 3) % 4] ?? 697;
        return 0.25 * gated(t, 0.18, 0.12) * (sine(low, t) + sine([1209, 1336, 1477][key % 3] ?? 1209, t));
      }),
  },
  {
    name: "beeps",
    labels: ["Beep, bleep"],
    phrases: ["short electronic beeps", "beeping"],
    samples: () => made((t) => 0.4 * gated(t, 0.12, 0.5) * sine(1_000, t)),
  },
  {
    name: "reversing",
    labels: ["Reversing beeps"],
    phrases: ["a truck backing up", "reversing beeps"],
    samples: () => made((t) => 0.4 * gated(t, 0.5, 0.5) * Math.sign(sine(1_250, t)) * 0.7),
  },
  {
    name: "alarm",
    labels: ["Alarm", "Alarm clock", "Smoke detector, smoke alarm"],
    phrases: ["the alarm clock in the morning", "smoke alarm going off"],
    samples: () => made((t) => 0.4 * gated(t, 0.08, 0.06) * gated(t, 0.6, 0.4) * Math.sign(sine(2_900, t))),
  },
  {
    name: "siren",
    labels: ["Siren", "Police car (siren)", "Ambulance (siren)"],
    phrases: ["an ambulance rushing by", "police siren"],
    samples: () => swept((t) => 950 + 450 * Math.sin(2 * Math.PI * 0.5 * t)),
  },
  {
    name: "air-raid",
    labels: ["Civil defense siren"],
    phrases: ["the warning that a bomb may fall", "civil defense siren"],
    samples: () =>
      swept(
        (t) => 300 + 250 * (1 - Math.cos((Math.PI * t) / 3)),
        () => 0.5,
        12,
      ),
  },
  {
    name: "white-noise",
    labels: ["White noise", "Static"],
    phrases: ["hissing static between radio stations", "white noise"],
    samples: () => white(1, 0.2),
  },
  { name: "pink-noise", labels: ["Pink noise", "Waterfall"], phrases: ["a waterfall far away", "pink noise"], samples: () => pink(2) },
  {
    name: "brown-noise",
    labels: ["Rumble", "Wind noise (microphone)"],
    phrases: ["a deep rumble", "strong wind in the microphone"],
    samples: () => dull(3, 0.995, 6),
  },
  {
    name: "rain",
    labels: ["Rain", "Rain on surface", "Raindrop"],
    phrases: ["rain on the roof", "drops falling on a tin roof"],
    samples: () => {
      const next = chance(4);
      const drops = struck(
        Array.from({ length: 900 }, () => next() * SECONDS),
        (t, count) => 0.12 * Math.exp(-t * 400) * sine(2_000 + ((count * 37) % 3_000), t),
      );
      const hiss = white(5, 0.03);
      return drops.map((value, at) => value + (hiss[at] ?? 0));
    },
  },
  {
    name: "waves",
    labels: ["Waves, surf", "Ocean"],
    phrases: ["the sea rolling onto the beach", "ocean waves"],
    samples: () => dull(6, 0.8, 0.7, (t) => 0.15 + 0.85 * Math.max(0, Math.sin((2 * Math.PI * t) / 6)) ** 2),
  },
  {
    name: "clock-ticks",
    labels: ["Tick", "Tick-tock", "Clock"],
    phrases: ["an old clock going tick tock", "ticking"],
    samples: () => struck(every(0.5), (t, count) => 0.8 * Math.exp(-t * 300) * sine(count % 2 === 0 ? 3_200 : 2_400, t)),
  },
  {
    name: "heartbeat",
    labels: ["Heart sounds, heartbeat"],
    phrases: ["a doctor listening to the chest", "heartbeat"],
    samples: () =>
      struck(
        every(0.85).flatMap((time) => [time, time + 0.28]),
        (t, count) => (count % 2 === 0 ? 0.9 : 0.6) * Math.exp(-t * 28) * sine(55, t),
      ),
  },
  {
    name: "knocking",
    labels: ["Knock"],
    phrases: ["somebody is at the door", "knocking"],
    samples: () => {
      const next = chance(7);
      return struck(
        [0.5, 0.75, 1, 2.6, 2.85, 3.1, 4.6, 4.85, 5.1],
        (t) => Math.exp(-t * 45) * (0.6 * sine(180, t) + 0.3 * sine(420, t) + 0.15 * normal(next)),
      );
    },
  },
  {
    name: "engine",
    labels: ["Engine", "Idling"],
    phrases: ["a lorry standing with its motor on", "engine idling"],
    samples: () => {
      const next = chance(8);
      return made((t) => {
        const stroke = (t * 24) % 1;
        return 0.6 * Math.exp(-stroke * 5) * (sine(70, t) + 0.5 * sine(141, t) + 0.25 * sine(212, t)) + 0.04 * normal(next);
      });
    },
  },
  {
    name: "mains-hum",
    labels: ["Mains hum", "Hum"],
    phrases: ["a badly earthed amplifier", "mains hum"],
    samples: () => made((t) => 0.3 * sine(50, t) + 0.25 * sine(100, t) + 0.12 * sine(150, t) + 0.06 * sine(200, t)),
  },
  {
    name: "helicopter",
    labels: ["Helicopter"],
    phrases: ["a chopper overhead", "helicopter"],
    samples: () => {
      const next = chance(9);
      let held = 0;
      return made((t) => {
        held = 0.85 * held + 0.15 * normal(next);
        const beat = (t * 12) % 1;
        return 2.2 * held * (0.25 + Math.exp(-beat * 6)) + 0.2 * Math.exp(-beat * 8) * sine(80, t);
      });
    },
  },
  {
    name: "whistle",
    labels: ["Whistling", "Whistle"],
    phrases: ["somebody whistling a tune", "whistling"],
    samples: () =>
      swept(
        (t) => ([1_400, 1_600, 1_800, 1_500, 1_200, 1_800][Math.floor(t)] ?? 1_500) + 12 * Math.sin(2 * Math.PI * 6 * t),
        (t) => 0.4 * gated(t, 0.85, 0.15),
      ),
  },
  {
    name: "church-bell",
    labels: ["Church bell", "Bell"],
    phrases: ["calling people to mass", "church bell"],
    samples: () => struck([0.2, 2.2, 4.2], (t) => partials(t, 330, [0.5, 1, 1.19, 1.5, 2, 2.5, 3], 1.2), SECONDS),
  },
  {
    name: "doorbell",
    labels: ["Doorbell", "Ding-dong"],
    phrases: ["visitors ring at the house", "doorbell ding dong"],
    samples: () => struck([0.4, 1, 3.4, 4], (t, count) => partials(t, count % 2 === 0 ? 660 : 523, [1, 2.01, 3.02], 3)),
  },
  {
    name: "telephone-bell",
    labels: ["Telephone bell ringing"],
    phrases: ["the phone is ringing", "telephone bell ringing"],
    samples: () =>
      struck(
        every(0.05).filter((t) => t % 3 < 1.6),
        (t, count) => partials(t, count % 2 === 0 ? 1_400 : 1_180, [1, 2.76, 5.4], 14),
      ),
  },
  {
    name: "guitar",
    labels: ["Guitar", "Acoustic guitar"],
    phrases: ["someone playing chords on strings", "acoustic guitar"],
    samples: () => {
      const notes = [196, 247, 294, 392, 330, 262, 220, 165];
      const out = new Float32Array(SECONDS * RATE_HZ);
      notes.forEach((hz, note) => {
        const next = chance(20 + note);
        const string = Float32Array.from({ length: Math.round(RATE_HZ / hz) }, () => 2 * next() - 1);
        for (let at = 0; at < 1.5 * RATE_HZ; at += 1) {
          const place = at % string.length;
          const value = string[place] ?? 0;
          string[place] = 0.498 * (value + (string[(place + 1) % string.length] ?? 0));
          const to = Math.round(note * 0.7 * RATE_HZ) + at;
          if (to < out.length) out[to] = (out[to] ?? 0) + 0.4 * value;
        }
      });
      return out;
    },
  },
  {
    name: "organ",
    labels: ["Organ", "Electronic organ"],
    phrases: ["music in a cathedral", "pipe organ"],
    samples: () =>
      made((t) => {
        const chord = [
          [262, 330, 392],
          [294, 349, 440],
          [247, 294, 392],
        ][Math.floor(t / 2)] ?? [262, 330, 392];
        return 0.06 * chord.reduce((sum, hz) => sum + sine(hz, t) + 0.7 * sine(2 * hz, t) + 0.5 * sine(4 * hz, t) + 0.6 * sine(hz / 2, t), 0);
      }),
  },
  {
    name: "drums",
    labels: ["Drum machine", "Drum kit", "Drum"],
    phrases: ["a beat to dance to", "drum machine"],
    samples: () => {
      const next = chance(10);
      const kick = struck(every(0.5, 0.1), (t) => 0.8 * Math.exp(-t * 14) * Math.sin(2 * Math.PI * (45 * t + 4 * (1 - Math.exp(-t * 30)))));
      const snare = struck(every(1, 0.6), (t) => 0.3 * Math.exp(-t * 22) * normal(next));
      const hat = struck(every(0.25, 0.1), (t) => 0.12 * Math.exp(-t * 90) * normal(next));
      return kick.map((value, at) => value + (snare[at] ?? 0) + (hat[at] ?? 0));
    },
  },
  {
    name: "gunshots",
    labels: ["Gunshot, gunfire"],
    phrases: ["somebody is shooting", "gunfire"],
    samples: () => {
      const next = chance(11);
      return struck([0.5, 1.1, 1.5, 3, 3.4, 5], (t) => 0.9 * Math.exp(-t * 18) * normal(next));
    },
  },
  {
    name: "crickets",
    labels: ["Cricket"],
    phrases: ["insects chirping on a summer night", "cricket"],
    samples: () => made((t) => 0.25 * gated(t, 0.35, 0.4) * Math.max(0, sine(28, t)) * sine(4_600, t)),
  },
  {
    name: "bird",
    labels: ["Bird", "Chirp, tweet"],
    phrases: ["birds singing in the garden", "chirping bird"],
    samples: () => {
      const next = chance(12);
      const starts = Array.from({ length: 22 }, (_, at) => 0.1 + at * 0.26 + 0.05 * next());
      const pitch = starts.map(() => between(next, 3_000, 4_800));
      return struck(starts, (t, count) =>
        t > 0.12 ? 0 : 0.4 * Math.sin((Math.PI * t) / 0.12) * Math.sin(2 * Math.PI * ((pitch[count] ?? 3_000) * t + 6_000 * t * t)),
      );
    },
  },
  {
    name: "foghorn",
    labels: ["Foghorn"],
    phrases: ["a ship in thick mist", "foghorn"],
    samples: () =>
      made((t) => 0.3 * gated(t, 2.2, 0.8) * (sine(110, t) + 0.6 * sine(220, t) + 0.4 * sine(330, t) + 0.3 * sine(440, t) + 0.2 * sine(550, t))),
  },
  {
    name: "sonar",
    labels: ["Sonar", "Ping"],
    phrases: ["a submarine searching", "sonar ping"],
    samples: () => struck([0.3, 2.3, 4.3], (t) => 0.6 * Math.exp(-t * 5) * sine(1_500, t)),
  },
  { name: "silence", labels: ["Silence"], phrases: ["nothing to be heard", "silence"], samples: () => new Float32Array(SECONDS * RATE_HZ) },
];
