import * as ts from "typescript";

/** One word or sign of a source text; positions count characters from its start. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Identifiers and string literals: what a rename changes. */
  readonly isName: boolean;
}

const CLOSING = new Set([")", "]", "}"]);

/** The tokens of a whole source file, without the commas that formatting adds and removes. */
export function tokensOfFile(name: string, text: string): readonly Token[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const tokens: Token[] = [];
  function visit(node: ts.Node): void {
    if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.EndOfFileToken) return;
    const children = node.getChildren(file);
    if (children.length > 0) children.forEach(visit);
    else if (node.getWidth(file) > 0) {
      // A property may be called like a keyword, which a piece does not show.
      const kind = (ts.isIdentifier(node) ? ts.identifierToKeywordKind(node) : undefined) ?? node.kind;
      tokens.push(toToken(text, kind, node.getStart(file), node.getEnd()));
    }
  }
  visit(file);
  return withoutLastCommas(tokens);
}

/** The tokens of a piece of a source file, which needs no balanced brackets and has neither templates nor regular expressions. */
export function tokensOfPiece(text: string): readonly Token[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const tokens: Token[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan())
    tokens.push(toToken(text, kind, scanner.getTokenStart(), scanner.getTokenEnd()));
  return withoutLastCommas(tokens);
}

function toToken(text: string, kind: ts.SyntaxKind, start: number, end: number): Token {
  const isWord = kind === ts.SyntaxKind.Identifier || kind === ts.SyntaxKind.PrivateIdentifier;
  // Words such as `of` and `get` are names or not by where they stand, which a piece does not show.
  const isSometimesName = kind > ts.SyntaxKind.LastReservedWord && kind <= ts.SyntaxKind.LastKeyword;
  const isName = isWord || isSometimesName || kind === ts.SyntaxKind.StringLiteral;
  return { text: text.slice(start, end), start, end, isName };
}

function withoutLastCommas(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ text }, index) => text !== "," || !CLOSING.has(tokens[index + 1]?.text ?? ""));
}
