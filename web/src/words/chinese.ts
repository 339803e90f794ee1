/** Sentences of the service, each known by how its English begins. */
export type Told = [RegExp, string][];

/** In the language that is spoken, where that is known. */
export const inChinese = (isChinese: boolean, told: Told, english: string): string => (isChinese && told.find(([begins]) => begins.test(english))?.[1]) || english;
