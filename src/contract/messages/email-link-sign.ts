/**
 * This marks, in a link of an email, the part that only its reader has. It begins with a #, so that this part is in no
 * log and is passed on to nobody (RFC 9110 §4.2.5). It has a file of its own, because pages for customers must stay
 * small. Source: rule E5.
 */
export const EMAIL_LINK_SIGN = '#email='
