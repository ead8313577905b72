/** The languages of namespaces. */

/** Those whose words have a stemmer. */
export const STEMMED = [
  "ar",
  "hy",
  "da",
  "nl",
  "fi",
  "fr",
  "de",
  "el",
  "hi",
  "hu",
  "id",
  "ga",
  "it",
  "lt",
  "ne",
  "no",
  "pt",
  "ro",
  "ru",
  "sr",
  "es",
  "sv",
  "ta",
  "tr",
] as const;
export type Stemmed = (typeof STEMMED)[number];

/** `any`: several languages, or one that is not named here. Besides English: ISO 639-1. */
export const LANGUAGES = ["en", "any", ...STEMMED, "ja", "th", "vi", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

/** That of a namespace of which nothing else is said. */
export const ENGLISH = "en" satisfies Language;

export function isStemmed(language: Language): language is Stemmed {
  return STEMMED.some((one) => one === language);
}
