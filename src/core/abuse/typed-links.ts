/** The words that replace a link which a stranger typed. */
export const LINK_REMOVED = '(link removed)'

/** Schemes that mail programs open without `//`. */
const SCHEMES =
  'mailto|tel|sms|callto|skype|facetime|whatsapp|tg|sip|sips|xmpp|geo|magnet|webcal|bitcoin|javascript|data|file'

/**
 * What a mail program could turn into a link. It finds rather too much than too little: a program may know any word as
 * the end of a domain. No part of the pattern looks at the beginning or the end of the text, so cutting a text adds no
 * link. Source: rule E8.
 */
const LINK = new RegExp(
  [
    '://',
    // An address without its scheme: a program may link any name after it, such as that of a machine, or one with an end of one letter.
    String.raw`//[^\s/]`,
    // A network share, which Outlook links.
    String.raw`\\\\`,
    String.raw`(?:${SCHEMES}):\S`,
    'www[.\u3002]',
    // A domain: a dot and at least two letters, or a name in other letters than these in ASCII (RFC 3492).
    String.raw`(?:[^\s.]|\uFEFF)\.(?:[\p{L}\p{M}]{2}|xn--)`,
    // An email address or a name on some network, and an IPv4 address.
    String.raw`@[\p{L}\p{N}_]`,
    String.raw`\d\.\d+\.\d+\.\d`,
  ].join('|'),
  'iu',
)

/** Invisible characters that would separate what a program joins. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** The full stop of Chinese and Japanese, which can be the dot of a domain (UTS 46), before a letter of another language. */
const IDEOGRAPHIC_DOT =
  /\u3002(?=\p{L})(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}])/gu

/** Whether a mail program could take a part of this text for a link, an email address or a number to call. */
export function hasLink(text: string): boolean {
  // NFKC turns full-width letters, dots, colons and slashes into the plain ones.
  const plain = text.normalize('NFKC').replace(UNSEEN, '').replace(IDEOGRAPHIC_DOT, '.')
  // A program can also take what is left out of `plain`, such as a space without width, for the name before the dot.
  return LINK.test(plain) || LINK.test(text)
}

/** What is between spaces. This mark of the order of bytes counts as one in JavaScript, and people do not see it. */
const WORD = /[\S\uFEFF]+/gu

/**
 * A line in which words replace everything that could be a link. A word with a link is replaced as a whole, with what
 * is joined to it. Source: rule E8.
 */
export function withoutLinks(line: string): string {
  return line.replace(WORD, (word) => (hasLink(word) ? LINK_REMOVED : word))
}
