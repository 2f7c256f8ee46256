/**
 * SQL for the id that a text has in every run: what RFC 9562 calls version 4, though nothing is random here. A bare
 * `md5(…)::uuid` has no version, and answers with such an id do not match their schemas.
 */
export function uuidOf(text: string): string {
  return `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`
}
