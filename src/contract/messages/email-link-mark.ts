/**
 * Marks the secret part of a link in an email. It starts with a #, because browsers do not send that part to servers (RFC 9110
 * §4.2.5), so it is never logged or passed on. A separate file, to keep the customer's pages small. Source: rule E5.
 */
export const EMAIL_LINK_TOKEN_PREFIX = '#email='
