/** Owns htmlparser2: HTML and XML as a stream of tags and text. Nothing is fetched, and no entity but the standard ones is known. */
import { Parser } from "htmlparser2";
import { Fault } from "../../base/fault.ts";
import { MARKUP_MAX_DEPTH, MARKUP_MAX_STEPS, MARKUP_PIECE_CHARS, MARKUP_TOKEN_MAX_BYTES } from "../../base/limits.ts";

export interface MarkupHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** Called once for each `open`, the innermost first; elements left open are closed at the end of the document. */
  close(name: string): void;
  /** Entities are decoded. A run of text may come in several parts. */
  text(data: string): void;
}

/** Parses a document piece by piece. Errors: Fault `bad_request` when it is nested deeper than MARKUP_MAX_DEPTH, holds a tag longer than MARKUP_TOKEN_MAX_BYTES, or takes more than MARKUP_MAX_STEPS. */
export class MarkupReader {
  private readonly parser: Parser;
  private depth = 0;
  /** Characters since the parser's last event: those that it buffers. */
  private held = 0;
  /** The greatest depth in the current piece. */
  private deepest = 0;
  /** Open elements that the parser has searched for those that end tags close, at most. */
  private steps = 0;

  constructor(language: "html" | "xml", handler: MarkupHandler) {
    const tokenEnded = () => {
      this.held = 0;
    };
    this.parser = new Parser(
      {
        onopentag: (name, attributes) => {
          tokenEnded();
          this.depth += 1;
          this.deepest = Math.max(this.deepest, this.depth);
          if (this.depth > MARKUP_MAX_DEPTH)
            throw new Fault("bad_request", `the document has more than ${MARKUP_MAX_DEPTH} elements within each other`);
          handler.open(name, attributes);
        },
        onclosetag: (name) => {
          tokenEnded();
          this.depth -= 1;
          handler.close(name);
        },
        ontext: (data) => {
          tokenEnded();
          handler.text(data);
        },
        oncomment: tokenEnded,
        onprocessinginstruction: tokenEnded,
        oncdatastart: tokenEnded,
      },
      { xmlMode: language === "xml", decodeEntities: true, recognizeSelfClosing: true },
    );
  }

  write(text: string): void {
    for (let at = 0; at < text.length; at += MARKUP_PIECE_CHARS) this.writePiece(text.slice(at, at + MARKUP_PIECE_CHARS));
  }

  private writePiece(piece: string): void {
    this.held += piece.length;
    if (this.held > MARKUP_TOKEN_MAX_BYTES) throw new Fault("bad_request", "the document has a tag or comment that does not end");
    this.deepest = this.depth;
    this.parser.write(piece);
    this.steps += (piece.split("</").length - 1) * this.deepest;
    if (this.steps > MARKUP_MAX_STEPS) throw new Fault("bad_request", "the document is nested too deep: it ends elements that it never began");
  }

  end(): void {
    this.parser.end();
  }
}
