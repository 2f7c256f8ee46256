/**
 * Builds the SQL for an id derived from a text, the same in every run. It is marked as version 4 (RFC 9562), although nothing
 * about it is random: a bare `md5(…)::uuid` has no version, so responses with such an id would not match their schemas.
 */
export function uuidOf(text: string): string {
  return `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`
}
