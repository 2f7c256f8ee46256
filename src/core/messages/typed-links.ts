/** Replaces links in text that a stranger typed. */
export const REMOVED_LINK_TEXT = '(link removed)'

/** URL schemes that mail programs turn into links even without `//`. */
const SCHEMES =
  'mailto|tel|sms|callto|skype|facetime|whatsapp|tg|sip|sips|xmpp|geo|magnet|webcal|bitcoin|javascript|data|file'

/**
 * Matches anything that a mail program might turn into a link. Too many matches are better than too few, because a
 * program may accept any word as a top-level domain. No part of the pattern is anchored to the start or end of the
 * text, so truncating a text never creates a link. Source: rule E8.
 */
const LINK = new RegExp(
  [
    '://',
    // A URL without its scheme: a program may link any host after `//`, even one without a dot or with a one-letter ending.
    String.raw`//[^\s/]`,
    // A UNC path (network share), which Outlook turns into a link.
    String.raw`\\\\`,
    String.raw`(?:${SCHEMES}):\S`,
    'www[.\u3002]',
    // A domain: a dot followed by at least two letters or by punycode (RFC 3492).
    String.raw`(?:[^\s.]|\uFEFF)\.(?:[\p{L}\p{M}]{2}|xn--)`,
    // An email address or a handle, and an IPv4 address.
    String.raw`@[\p{L}\p{N}_]`,
    String.raw`\d\.\d+\.\d+\.\d`,
  ].join('|'),
  'iu',
)

/** Invisible characters that could hide a link from the pattern. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * The Chinese and Japanese full stop before a letter of any other script, where it separates labels of a domain (UTS 46). Before a Chinese,
 * Japanese or Korean letter it is punctuation.
 */
const IDEOGRAPHIC_DOT =
  /\u3002(?=\p{L})(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}])/gu

/** True when a mail program could turn any part of this text into a link, an email address or a phone link. */
export function hasLink(text: string): boolean {
  // NFKC converts full-width letters, dots, colons and slashes to ASCII.
  const plain = text.normalize('NFKC').replace(UNSEEN, '').replace(IDEOGRAPHIC_DOT, '.')
  // A program can also read a character that `plain` leaves out, such as a zero-width space, as the name before the dot.
  return LINK.test(plain) || LINK.test(text)
}

/** Matches a word. JavaScript counts the byte order mark U+FEFF as a space, but readers do not see it. */
const WORD = /[\S\uFEFF]+/gu

/** Replaces every word of a line that could become a link, including any characters attached to it. Source: rule E8. */
export function removeLinks(line: string): string {
  return line.replace(WORD, (word) => (hasLink(word) ? REMOVED_LINK_TEXT : word))
}
