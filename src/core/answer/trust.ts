/**
 * Text in a Unit is data. Some of it is written at whoever, or whatever, composes an answer: it gives orders, plays the
 * system, or claims a verdict. Such a Unit is found like any other, but is no evidence: what it says about the world
 * stands beside an attempt to deceive.
 */

/** Characters that show nothing or turn the reading direction. */
const INVISIBLE = /\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;
/** Overrides of the reading direction: no plain text needs them. */
const OVERRIDE = /[\u202d\u202e]/;

const ORDERS: readonly RegExp[] = [
  // Orders about instructions.
  /\b(?:ignore|disregard|forget|override|bypass|discard|skip)\b[^.!?\n]{0,60}\b(?:instructions?|prompts?|rules|guidelines|guardrails|directives?|context|evidence|sources|citations)\b/,
  /\b(?:new|updated|real|actual|hidden|secret|following|additional) (?:system )?(?:instructions?|prompt|directives?)\s*(?:[:=]|\b(?:are|is|follow)\b)/,
  /\b(?:follow|obey|execute|comply with) (?:these|this|the following|my|all) (?:instructions?|orders?|commands?|directives?)\b/,
  /\b(?:system|developer|hidden|initial) (?:prompt|message|instruction)s?\b/,
  // A role for the reader.
  /\b(?:you are|you're|act as|pretend (?:to be|you are)|behave as|roleplay as) (?:now )?(?:an? |the )?(?:[a-z-]+ ){0,3}(?:assistant|ai|a\.i\.|language model|llm|chat ?bot|bot|gpt|model|dan|agent)\b/,
  /\b(?:as|to|dear|attention|note to|message (?:to|for)) (?:an? |the |all |any )?(?:ai|a\.i\.|assistants?|language models?|llms?|chat ?bots?|gpt|retrieval system|answering (?:system|engine|service)|summari[sz]ers?|verifiers?|rerankers?)\b/,
  /\b(?:jailbreak|prompt injection|do anything now|developer mode|god mode)\b/,
  // Markup of conversations.
  /<\|?\s*(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\s*\|?>/,
  /\[\/?(?:inst|sys|system|assistant)\]|<<\/?sys>>|<\/?(?:system|assistant|instructions?|prompt|tool_call|function_call)\b[^>\n]{0,40}>/,
  /(?:^|\n)\s*(?:#{1,6}\s*)?(?:system|assistant|developer|user|human)\s*:/,
  /(?:^|\n)\s*#{2,6}\s*(?:instructions?|response|system|end of (?:context|evidence|document|prompt))\b/,
  /\b(?:begin|end|start)(?: of)? (?:the )?(?:system|trusted|evidence|context|document|prompt|instructions?|source|untrusted)\b/,
  // Orders about the answer.
  /\b(?:respond|reply|answer|output|print|return|say|write|state|repeat)\b[^.!?\n]{0,30}\b(?:only|exactly|instead|verbatim|nothing (?:else|but)|the (?:following|word|phrase|string|text))\b/,
  /\b(?:must|should|shall|always|only|please) (?:be )?(?:cited?|quoted?|rank(?:ed)?|answer(?:ed)? with|respond(?:ed)? with|repl(?:y|ied) with|mention(?:ed)? (?:this|only))\b/,
  /\b(?:cite|quote|rank|prefer|boost|use) (?:only )?(?:this|me|the present)\b[^.!?\n]{0,40}\b(?:first|only|source|document|unit|passage|chunk|evidence|instead|as)\b/,
  /\b(?:this|the present) (?:unit|document|source|passage|chunk|text|answer|claim)\b[^.!?\n]{0,40}\b(?:overrides?|supersedes?|outranks?|is (?:the only|authoritative|verified|entailed|trusted|the (?:correct|true|final|official) answer))\b/,
  /\b(?:do not|don't|never) (?:cite|quote|mention|use|trust|reveal|believe)\b[^.!?\n]{0,40}\b(?:other|any|the|this|these|those|user|sources?|units?|documents?)\b/,
  /\b(?:the )?(?:correct|final|real|true|only|official) answer (?:is|to (?:the|this|any|every) question)\b/,
  // Words of this service.
  /\b(?:nli_faithfulness|hidden_by_acl|quote_start|acl_groups|unit_id)\b/,
  /["']?\b(?:verdict|status|citations?|faithfulness|score)\b["']?\s*[:=]\s*["']?(?:entailed|contradicted|answered|abstained|\[|1\.0|1\b|100)/,
  // Leading data out.
  /!\[[^\]\n]{0,80}\]\(\s*(?:https?:)?\/\/|<\s*(?:script|iframe|img|object|embed|svg|form|meta|link|style)\b|javascript:|data:text\/html/,
  /\b(?:send|post|upload|exfiltrate|forward|leak)\b[^.!?\n]{0,60}\b(?:to )?(?:https?:\/\/|api keys?|tokens?|passwords?|credentials|conversation|chat history)/,
  /\b(?:call|invoke|run|use) (?:the )?(?:tool|function|plugin|api|command|shell)\b[^.!?\n]{0,40}\b(?:with|to|and)\b/,
];

/** Homoglyphs that NFKC keeps, as far as they spell English orders. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: "a",
  в: "b",
  с: "c",
  е: "e",
  һ: "h",
  і: "i",
  ј: "j",
  к: "k",
  м: "m",
  н: "h",
  о: "o",
  р: "p",
  ѕ: "s",
  т: "t",
  у: "y",
  х: "x",
  α: "a",
  ε: "e",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  ı: "i",
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "@": "a",
};

/** True for a text that speaks to whoever composes an answer. Linear in its length. */
export function addressesReader(text: string): boolean {
  if (OVERRIDE.test(text)) return true;
  const plain = text.normalize("NFKC").replace(INVISIBLE, "").toLowerCase();
  return matchesOrder(plain) || (hasDisguise(plain) && matchesOrder(undisguised(plain)));
}

function matchesOrder(text: string): boolean {
  return ORDERS.some((order) => order.test(text));
}

function hasDisguise(text: string): boolean {
  return /[\u0370-\u052fı]|\p{L}[0134@]\p{L}|\b(?:\p{L}[ ._*-]){5,}\p{L}\b/u.test(text);
}

/** Lookalikes become letters, and letters set apart become words. */
function undisguised(text: string): string {
  const letters = [...text].map((char) => LOOKALIKES[char] ?? char).join("");
  return letters.replace(/\b(?:\p{L}[ ._*-]){5,}\p{L}\b/gu, (spread) => spread.replace(/[._*-]| (?=\p{L}\b)/gu, ""));
}
