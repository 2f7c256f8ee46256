/**
 * The CSS classes that fade the lower edge of an email shown in a frame. A page of another origin does not report its height, so
 * the frame may end before the email does.
 */
export const EMAIL_FRAME_FADE_CLASS = 'mask-b-from-[calc(100%-2.5rem)] mask-b-to-[calc(100%+0.75rem)]'
