/** Letters and digits as ASCII, with the rules of Lucene's ASCIIFoldingFilter, which Tantivy has too: indexes on disk hold words so folded. */

/** What neither decomposition gives: the ASCII letters, and the characters that become them. */
const FOLDED = new Map(
  `0:⓿ 1:⓵❶➀➊ 10:⓾❿➉➓ 11:⓫ 12:⓬ 13:⓭ 14:⓮ 15:⓯ 16:⓰ 17:⓱ 18:⓲ 19:⓳ 2:⓶❷➁➋ 20:⓴ 3:⓷❸➂➌ 4:⓸❹➃➍ 5:⓹❺➄➎ 6:⓺❻➅➏ 7:⓻❼➆➐ 8:⓼❽➇➑
  9:⓽❾➈➒ A:ᴀ AE:ᴁ B:ʙᴃ C:ʗᴄ D:ᴅᴆ E:ᴇⱻ F:ꜰꟻ G:ǥǧɢʛ H:ʜ I:ɪᵻꟾ J:ᴊ K:ᴋ L:ʟᴌ M:ᴍꟽꟿ N:ɴᴎ O:ᴏᴐ OE:ɶ OU:ᴕ P:ᴘ R:ʀʁᴙᴚ S:ꜱꞅ T:ᴛ U:ᴜᵾ V:ᴠ
  W:ᴡ Y:ʏ Z:ᴢ a:ɐəɚᶏᶕẚₔⱥ aa:ꜳ ae:æǣǽᴂ ao:ꜵ au:ꜷ av:ꜹꜻ ay:ꜽ b:ƀƃɓᵬᶀ c:ƈȼɕↄꜿ d:ðđƌȡɖɗᵭᶁᶑꝺ db:ȸ dz:ʣʥ e:ǝɇɘɛɜɝɞʚᴈᶒᶓᶔⱸ f:ƒᵮᶂẛꝼ
  g:ɠɡᵷᵹᶃꝿ h:ħɥɦʮʯⱨⱶ hv:ƕ i:ıɨᴉᵼᶖ j:ȷɉɟʄʝ k:ƙʞᶄⱪꝁꝃꝅ l:ŀłƚȴɫɬɭᶅⱡꝇꝉꞁ ll:ỻ ls:ʪ lz:ʫ m:ɯɰɱᵯᶆ n:ŉŋƞȵɲɳᵰᶇ o:øǿɔɵᴖᴗᶗⱺꝋꝍ
  oe:œᴔ oo:ꝏ ou:ȣ p:ƥᵱᵽᶈꝑꝓꝕꟼ q:ĸɋʠꝗꝙ qp:ȹ r:ɍɼɽɾɿᵲᵳᶉꝛꞃ s:ȿʂᵴᶊẜẝ ss:ß t:ŧƫƭȶʇʈᵵⱦ tc:ʨ th:þᵺꝧ ts:ʦ tz:ꜩ u:ʉᶙ ue:ᵫ v:ʋʌᶌⱱⱴꝟ
  vy:ꝡ w:ƿʍⱳ x:ᶍ y:ƴɏʎỿ z:ƶȝȥɀʐʑᵶᶎⱬꝣ`
    .split(/\s+/)
    .flatMap((group) => {
      const [ascii = "", from = ""] = group.split(":");
      return [...from].map((char) => [char, ascii] as const);
    }),
);
/** Characters with an ASCII compatibility form that counts. Others (ª, ℂ, Ⅻ, 𝐀) stay as they are. */
const COMPATIBLE = /[²³¹ĳſǆǉǌǳᵢ-ᵥ⁰ⁱ⁴-⁹ⁿ₀-₉ₐₑₒₓ①-⒛ⓐ-⓪ⱼﬀ-ﬄﬆ０-９ａ-ｚ]/u;

/** A lower-case word in composed form (NFC) with its letters and digits as ASCII where they have such a form. */
export function asciiFolded(word: string): string {
  return word.replace(/[^\0-\x7f]/gu, (char) => FOLDED.get(char) ?? decomposed(char));
}

function decomposed(char: string): string {
  const base = char.normalize(COMPATIBLE.test(char) ? "NFKD" : "NFD").replace(/\p{M}/gu, "");
  return /^[\0-\x7f]+$/.test(base) ? base : char;
}
