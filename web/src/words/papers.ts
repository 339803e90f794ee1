// Why a paper cannot be read, and what to do, in Chinese: by how the English sentence begins. What is not here is said in English.
import { inChinese, type Told } from "./chinese";

const TOLD: Told = [
  [/^The pages of this PDF are pictures/, "这是扫描件：页面是图片，几乎没有文字。请上传带文字层的版本，或请管理员连接识别服务器（MinerU）后重新读取。"],
  [/^It has no text layer/, "没有文字层。请上传带文字的版本。"],
  [/^This file is empty/, "文件是空的。请重新下载后上传。"],
  [/^This PDF is locked/, "PDF 设有密码。请去除密码后上传。"],
  [/^This PDF is damaged|^The end of this PDF/, "PDF 已损坏或不完整。请从出版商处重新下载后上传。"],
  [/^This PDF is a form/, "这是 XFA 表单，页面没有正文。请打印成 PDF 后上传。"],
  [/^This PDF has no pages/, "PDF 没有页面。请重新保存后上传。"],
  [/^This (PDF|text) has [\d,]+ pages|^This text is longer|holds more text than any paper|^A page of this file holds/, "超过一篇论文的篇幅。请每个文件只上传一篇。"],
  [/^This is a web page/, "这是网页，不是文献本身。请使用网页上的 PDF 链接，或将网页打印成 PDF。"],
  [/^This is XML, but not/, "这是 XML，但不是期刊文章（JATS）。请上传 JATS XML 或 PDF。"],
  [/^This XML holds [\d,]+ articles/, "XML 中有多篇文章。请每个文件只上传一篇。"],
  [/^This XML/, "XML 已损坏或不是正常的文章。请上传 PDF。"],
  [/^This file is called a PDF/, "文件名是 PDF，内容却不是。请从出版商处重新下载后上传。"],
  [/^This file is no PDF|^This is .+, which is not read/, "不是 PDF、XML 文章或纯文本。请另存为 PDF 后上传。"],
  [/^The characters of this text/, "无法识别文本的字符编码。请以 UTF-8 保存后上传。"],
  [/^This file has \d+ MB/, "文件过大。请缩小图片后上传。"],
  [/hardly any text in this file|^There is no text/, "几乎没有文字。请确认是否为所需的文件。"],
  [/^Reading it failed again/, "多次读取均未成功。请重新读取；若仍不行，请用其他程序另存后上传。"],
  [/^The file never arrived|^The file is gone|^The bytes that arrived/, "文件没有完整到达。请重新上传。"],
];

export const whyUnread = (isChinese: boolean, english: string): string => inChinese(isChinese, TOLD, english);
