/**
 * The lower edge of a mail in a frame fades: a page of another origin does not tell its height, so the frame may end
 * before the mail does.
 */
export const MAIL_FADE_CLASS = 'mask-b-from-[calc(100%-2.5rem)] mask-b-to-[calc(100%+0.75rem)]'
