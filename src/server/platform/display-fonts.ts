/**
 * Fonts for titles where nothing can be downloaded. They look like the product's own face, and one of them is on every
 * common system. Without the last ones, a Linux desktop would show Times.
 */
export const DISPLAY_FONTS =
  "'Iowan Old Style','Palatino Linotype',Palatino,'URW Palladio L',P052,Georgia,Gelasio,'Noto Serif','DejaVu Serif',serif"
