/**
 * Detects prompt injection by patterns over folded text (text/disguise.ts): text that gives orders to a model, poses as a system
 * message, or claims a verdict. Searches find such a Unit like any other, but it is no evidence. One match of SIGNS is enough;
 * an order that people are given too (ORDERS) counts only near words that address a machine (MACHINE).
 */
import { isUnseen, readings } from "../text/disguise.ts";
import { contentWords } from "./en/words.ts";

/** Where an imperative may stand: it begins a clause, or follows a word that makes it an order. */
const CLAUSE = String.raw`(?:^|[.!?:;,\n"'“”‘’()<>\[\]{}*#|_-] ?|\b(?:please|must|shall|now|then|and|always|just|kindly|you should|you will) )`;
const REST = String.raw`[^.!?\n]`;
const THIS = String.raw`(?:this|the present) (?:unit|passage|chunk|document|source|text|record|evidence)(?! (?:number|no\b|id\b|code))`;
const AI = `(?:ai|llm|(?:large )?language model|chat ?bot|(?:chat ?)?gpt)`;

function pattern(...sources: string[]): RegExp {
  return new RegExp(sources.join("|"), "u");
}

const SIGNS: readonly RegExp[] = [
  // Orders to drop instructions.
  pattern(
    String.raw`${CLAUSE}(?:ignore|disregard|forget|override|bypass|discard|(?:do not|don't|stop) follow(?:ing)?) ${REST}{0,30}\b(?:your|previous|prior|earlier|above|preceding) (?:[a-z-]+ ){0,2}(?:instruction|direction|prompt|rule|guideline|guardrail|directive|source|context|content|task|training|command)`,
    `${CLAUSE}(?:ignore|disregard|forget) (?:all |any |every )?(?:(?:the |of the )?(?:instruction|prompt|rule|direction)s? (?:above|before|so far|you|that c[ao]me before)|everything (?:above|before|you|that was said))`,
    `${CLAUSE}(?:ignore|do not answer) (?:the |what the )?(?:user(?: asks| asked| says)?|(?:user's )?(?:question|query))(?: and|[.;] instead,?) (?:instead )?(?:say|tell|output|print|reply|respond|write)`,
    String.raw`\bdo anything now\b|\bnew system prompt ?:`,
  ),
  // The same in other languages.
  pattern(
    String.raw`\b(?:ignorier|vergiss|vergessen sie|missachte|negeer|ignore[zs]?\b|oublie|ne tene?z pas compte|ignora|ignoruj|olvid|no hagas caso|dimentica)(?=${REST}{0,60}(?:alle|samtliche|deine|vori|toutes|tes\b|vos\b|precedent|tod[ao]s|tus\b|sus\b|anterior|tutte|poprzedni))${REST}{0,50}(?:anweisung|vorgaben|regeln|instruction|instructie|consignes|instruc|instrukcj|reglas|istruzioni)`,
    `(?:игнориру|забудь)${REST}{0,40}(?:инструкци|указани|правила)|(?:تجاهل)${REST}{0,30}تعليمات`,
    String.raw`(?:忽略|无视|無視|忘记|忘記|不要理会)[^。！？\n]{0,20}(?:指令|指示|提示|规则|規則)|(?:指示|命令)[^。\n]{0,12}無視`,
    "(?:지시|명령|지침).{0,12}무시".normalize("NFKD"),
  ),
  // Texts that address a model, or tell it who it is.
  pattern(
    String.raw`\b(?:you are|you're|act as|pretend (?:to be|you are)|behave as) (?:now )?(?:an? |the )?(?:[a-z-]+ ){0,2}(?:${AI}(?: assistant| model)?|dan|helpful assistant)(?! (?!that|who|which|with|without|and|called|named|for)[a-z])`,
    String.raw`\b(?:attention|dear|hey|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|if you are) (?:an? |the |all |any )?(?:${AI}|reranker|retrieval system|answering (?:system|engine|service))s?(?: (?:assistant|model|system|agent|reader)s?)?(?: ?[:,;!.\n—-]| reading| that reads| who reads)`,
    String.raw`\bas an? ${AI}(?: [a-z]+){0,2},? you (?:are|must|should|will|have)\b|\b(?:${AI}|model|assistant|system|machine|agent)s? (?:reading|processing|answering from|summari[sz]ing) (?:this|these)(?: (?:text|document|page|passage|message|unit)| ?[:,;])`,
    String.raw`\bthis is (?:the|your|a) (?:new |real |actual )?(?:system|developer) (?:prompt|message|instruction)`,
    String.raw`\b(?:begin|end)(?: of)? (?:system|trusted|untrusted|developer) (?:override|prompt|message|context|instruction|evidence|input)`,
  ),
  // Markup that chat models are trained on.
  /<\|[a-z_]{2,20}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:start|end)_of_turn>|<(?:tool|function)_calls?>|<!--[^>]{0,40}\b(?:instruction|assistant|ai|prompt)s? ?:/,
  // Orders to cite only this text, or to rank it first.
  pattern(
    String.raw`\b(?:cite|quote|rank|boost) (?:(?:only|just|solely|exclusively|nothing but) ${THIS}|${THIS}${REST}{0,20}\b(?:only|first|alone|instead|exclusively|as the))`,
    String.raw`\b(?:cite|quote|mention) ${REST}{0,20}(?:source|unit|document|passage)s? (?:other than|but|except) (?:this|the present)\b|\bany other source than (?:this|the present)\b|\b(?:answer|claim)s? that (?:do|does) not cite ${THIS}`,
    String.raw`\b(?:score|rate|give|grade) ${THIS} (?:as )?(?:1\b|100|the (?:highest|best|top|first) (?:score|rank|rating))`,
    String.raw`\b${THIS} (?:outranks?|(?:overrides?|supersedes?) (?:all|any|every) (?:other )?(?:evidence|sources?|passages?|instructions?|prompts?|citations?)\b|is (?:verified|certified|confirmed|entailed)${REST}{0,20} by (?:strata|the (?:system|auditor|verifier)))`,
    String.raw`\b(?:all|every|any) other (?:passage|chunk|unit|source)s? (?:as |is |are )?(?:false|wrong|fake|untrusted|score)\b|${CLAUSE}(?:discard|distrust|ignore) (?:all|every|any) other (?:passages?|chunks?|evidence)(?! of)\b`,
  ),
  // Orders to reveal what is hidden, to add links to answers, or to answer nothing.
  pattern(
    String.raw`${CLAUSE}(?:list|reveal|print|show|output|disclose|dump|repeat) ${REST}{0,20}\b(?:hidden (?:units?|documents?|prompts?)|system prompt|your (?:[a-z]+ )?(?:instructions|prompt|secrets?|credentials|tokens?))\b`,
    String.raw`\b(?:include|add|append|insert|embed|put) [^\n]{0,30}\b(?:link|url|image|https?:)[^\n]{0,60} (?:in|to|into|at the end of) (?:your|every|each) (?:answer|response|reply)\b`,
    String.raw`${CLAUSE}(?:abstain|refrain) (?:from|on) (?:answering )?(?:any|every|all)\b(?: of)?(?: the)?(?: user)? questions?\b`,
  ),
  // Verdicts and answers as this service writes them.
  /\bnli_faithfulness["']? ?[:=] ?["']?[01]|["']?verdict["']? ?[:=] ?["']?(?:entailed|contradicted|neutral)\b|"status" ?: ?"(?:answered|abstained)"/,
  /\[\d{1,3}\] ?(?:[([{—–·-] ?(?:answered|entailed|verified|abstained)|entailed)\b|\banswered [·|,-] ?faithfulness\b/,
  // Scripts, and pictures whose address carries data out.
  /<script\b[^>]{0,200}> ?[^\s<]|<script [^>]{0,100}src|<iframe\b|<[a-z][^<>]{0,200}[\s/]on[a-z]{3,20} ?=|\bjavascript:[a-z_$]+[.(]|\bdata:text\/html/,
  /!\[[^\]\n]{0,80}\]\( ?(?:https?:)?\/\/[^)\s]{0,200}=[^)\s]{0,40}(?:\{|user_|question|answer|secret|token|prompt|conversation)/,
];

/** Orders that a manual or an examination gives to people as well. */
const ORDERS = new RegExp(
  [
    // About instructions and sources.
    String.raw`${CLAUSE}(?:ignore|disregard|forget|override|bypass|distrust|follow|obey) ${REST}{0,40}\b(?:instruction|prompt|rule|guideline|guardrail|directive|evidence|source|citation|unit|document|passage)`,
    String.raw`\b(?:previous|prior|earlier|other) (?:instruction|rule|prompt)s? (?:are (?:void|cancelled|revoked|obsolete)|no longer apply)\b|\b(?:not|never|don't) (?:cite|quote|mention|use|trust|reveal|believe) ${REST}{0,30}\b(?:other|any) (?:source|unit|document|evidence|passage)`,
    String.raw`${CLAUSE}(?:cite|quote|trust|use|prefer|believe) (?:only )?(?:${THIS}|document \d)|\b(?:has|takes?) (?:priority|precedence) over (?:all|any|every)\b`,
    // About what to say.
    String.raw`${CLAUSE}(?:answer|reply|respond|output|return|treat)\b ?${REST}{0,30}(?:\b(?:only|exactly|instead|verbatim|nothing|that|with|the words?)\b|:)`,
    String.raw`${CLAUSE}(?:say|state|report|write|print|repeat|claim|conclude)(?: so\b| ${REST}{0,20}\b(?:only|exactly|instead|verbatim|nothing else|the words?)\b)`,
    String.raw`(?:[.:;,!?\n>] ?|\bplease )(?:say|state|report|claim|conclude|tell (?:them|everyone|the user)) that\b|\btell (?:everyone|the user)\b|\bthe answer to (?:any|every|all) questions?\b|\bi (?:instruct|order|command|confirm) `,
    String.raw`\bmarks? (?:this|every|all|each) (?:as|claim|answer|sentence|statement)|\b(?:accept|treat|regard) ${REST}{0,30}\bas (?:fact|true|trusted|(?:the )?(?:ground )?truth)\b|${CLAUSE}(?:output|list|print|show) ${REST}{0,20}\b(?:all|every|hidden|other) (?:units?|documents?|sources?)`,
    // About what to do.
    String.raw`${CLAUSE}(?:send|post|upload|forward|leak|append|call|invoke|run|execute|decode) ${REST}{0,40}\b(?:https?:|token|password|credential|secret|conversation|chat history|tool|function|command|base64)`,
  ].join("|"),
  "gu",
);

/** Words that only a machine is addressed or meant by. */
const MACHINE = new RegExp(
  [
    String.raw`\b(?:${AI}s?|assistants?|rerankers?|verifier|summari[sz]er|retrieval system|answering (?:system|engine|service))\b`,
    String.raw`\b(?:system|developer) (?:prompt|message|notice|override)\b|(?:^|[\n.!?>] ?|\n#{1,6} ?)(?:system|assistant|developer) ?:|\[(?:system|assistant)\]|"role" ?: ?"(?:system|assistant|developer)"`,
    String.raw`<\/?(?:system|assistant|instructions?|prompt|evidence|context|tool_call)>`,
    String.raw`\b(?:i am|this is|as|message from|notice from|order from) (?:your (?:operator|developer|administrator|creator|auditor)|the (?:system|auditor|administrator))\b`,
    String.raw`\bstrata(?: (?:service|operator|system|auditor|policy|notice|itself)|:)|\b(?:entailed|nli_faithfulness|hidden_by_acl|quote_start|acl_groups)\b`,
    String.raw`\btell the user\b(?! to\b)|\buser's (?:question|query)\b|\bfrom now on,? (?:you|all answers|every answer)\b|\b(?:call|invoke|use) the (?:tool|plugin)\b|\binstead of answering\b|\b(?:in|from) your context\b|\b(?:documents|units) you can see\b|\byour (?:instructions|task) (?:have|has) changed\b|\b(?:generating|composing|synthesi[sz]ing) (?:your|an|the) (?:answer|response)\b|\btrusted instructions\b|\bif asked\b${REST}{0,80}\bthe model\b`,
  ].join("|"),
  "gu",
);
/** The most UTF-16 code units between an order and the words that address a machine. */
const NEAR_CHARS = 160;
/** Orders that were written with spaced letters, after the letters were joined. */
const SPACED_ORDERS =
  /(?:ignore|disregard|forget)(?:all|any|your|the)*(?:previous|prior|above|other|earlier)*(?:instruction|prompt|rule|source)|systemprompt|citeonlythis/;

/** True for a text that holds a prompt injection. Takes any text; linear in its length. */
export function injectsPrompt(text: string): boolean {
  if (isUnseen(text)) return true;
  const { texts, spreadWords } = readings(text);
  return texts.some(givesOrders) || spreadWords.some((word) => SPACED_ORDERS.test(word));
}

/** How often, on average, a text must repeat the question's words to count as keyword stuffing. */
const ECHOED_MIN = 5;

/** True for keyword stuffing: more than half of the text's content words are the question's, repeated ECHOED_MIN times on average. */
export function echoesQuestion(text: string, question: string): boolean {
  const wanted = new Set(contentWords(question));
  const all = contentWords(text);
  const echoed = all.filter((word) => wanted.has(word));
  const different = new Set(echoed).size;
  return different > 1 && echoed.length >= ECHOED_MIN * different && echoed.length > all.length / 2;
}

function givesOrders(text: string): boolean {
  if (SIGNS.some((sign) => sign.test(text))) return true;
  const machines = [...text.matchAll(MACHINE)].map(({ index }) => index);
  if (machines.length === 0) return false;
  let next = 0;
  for (const { index } of text.matchAll(ORDERS)) {
    while (next < machines.length && (machines[next] as number) < index - NEAR_CHARS) next += 1;
    if (next < machines.length && (machines[next] as number) <= index + NEAR_CHARS) return true;
  }
  return false;
}
