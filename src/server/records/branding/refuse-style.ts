import type { CssNode } from 'css-tree'

/** A refused part of custom CSS. The message is shown to the owner. */
export class StyleError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.name = 'StyleError'
    this.line = line
  }
}

/** @throws StyleError always */
export function refuseStyle(node: CssNode, message: string): never {
  throw new StyleError(node.loc?.start.line ?? 1, message)
}
