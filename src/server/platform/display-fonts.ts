/**
 * Fonts for titles in places where no font can be downloaded. They resemble the product's typeface, and one of them
 * exists on every common system. Without the last fonts of the list, Linux desktops would show Times.
 */
export const DISPLAY_FONTS =
  "'Iowan Old Style','Palatino Linotype',Palatino,'URW Palladio L',P052,Georgia,Gelasio,'Noto Serif','DejaVu Serif',serif"
