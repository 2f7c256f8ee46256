import { isolate } from '#core/shared/text.ts'

/** `your`, or `Jon Osei’s`. */
export function possessive({ name, isOwner }: { readonly name: string; readonly isOwner: boolean }): string {
  return isOwner ? 'your' : `${isolate(name)}’s`
}
