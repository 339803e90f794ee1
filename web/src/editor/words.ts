// What the editor says, in both languages. It comes with the editor, not with the page.
import { spoken } from "../words";

const en = {
  back: "Back to set-up", title: "Edit the template", version: "version {n}", name: "Name", nameZh: "Name in Chinese", description: "What it is for",
  save: "Save as version {n}", saved: "Saved: version {n}.", unsaved: "Changes are not saved yet. This browser keeps them.", kept: "These are changes that were kept and never saved.", discard: "Discard changes", discardAsk: "Discard all changes since version {n}?", yesDiscard: "Discard", keepThem: "Keep them",
  newer: "Somebody saved version {n} meanwhile. Saving now puts yours over it: look at the difference first.", problemsN: "{n} to be mended before it can be saved", problemOne: "1 to be mended before it can be saved",
  addField: "Add a field", addSection: "Add a section", newField: "New field", newSection: "New section", section: "Section", noSection: "Without a section", renameSection: "Rename section {name}", sectionUp: "Section {name} up", sectionDown: "Section {name} down", sectionName: "Name of the section",
  up: "Move up", down: "Move down", removeField: "Remove the field", removed: "“{name}” was removed.", putBack: "Put it back", fieldsList: "Fields", chooseField: "Choose a field on the left, or add one.",
  label: "Label", labelZh: "Label in Chinese", key: "Key", keyWhy: "Its column's name in files. The built-in rules know fields by their keys; a field of your own is answered by a model only.", question: "Question", questionWhy: "What is asked of each paper. A model reads it as it stands: say what counts and what does not.", type: "Kind of answer",
  choices: "Choices", choice: "Choice {n}", choiceZh: "Choice {n} in Chinese", choiceZhShort: "In Chinese", cues: "Words by which papers say it, in any language", cuesWhy: "Separated by commas; a star stands for any ending: layer*, 分层. A choice is confirmed only where its quote holds one.", addChoice: "Add a choice", removeChoice: "Remove choice {n}", choiceUp: "Choice {n} up", yes: "Yes", no: "No", optionalChoices: "Without choices the list holds any texts.",
  parts: "Columns of each entry", addPart: "Add a column", removePart: "Remove column {n}", partChoices: "Choices, separated by commas", newPart: "Column",
  needsLabel: "It needs a label.", labelTwice: "Another field has this label.", nameForm: "A small letter first, then small letters, digits or _; at most 40.", nameTaken: "This word has a meaning of its own in results.", nameTwice: "Another field has this key.", needsChoices: "It needs two choices at least.", choiceTwice: "Two choices are the same.", choicesMany: "At most 30 choices of 60 characters.", needsFields: "It needs a field at least.", fieldsMany: "At most 120 fields.", needsParts: "It needs a column at least.", refused: "The service refused this: {reason}",
  tryIt: "Try it on one paper", tryWhy: "Saves what you have as a version, and reads one paper with it. Its answers stand beside your fields.", tryPaper: "Paper", tryNow: "Try", trySave: "Save and try", trying: "Reading “{name}”…", tried: "“{name}”, read with version {n} by {engine}.", tryFailed: "It could not be read: {reason}", noPapers: "There is no paper that is ready. Upload one in the library.", openTry: "Open its table", answer: "On this paper",
  versions: "Versions", compare: "What has changed since", none: "Nothing.", take: "Take this version as it was", added: "added", removedOne: "removed", changed: "changed: {what}", moved: "moved",
  what_label: "label", what_labelZh: "Chinese label", what_description: "question", what_section: "section", what_type: "kind of answer", what_options: "choices", what_optionsZh: "choices in Chinese", what_cues: "words", what_parts: "columns",
  csv: "Import a form (CSV)", csvWhy: "A row a field; columns name, section, question, type, choices (separated by ; or |). Nothing is added before you say so.", csvFound: "{n} fields can be added.", csvAdd: "Add {n} fields", csvWrongN: "{n} lines are left out:", csvLine: "Line {line}: {why} {what}", csvNoName: "There is no column “name” in the first line.", csvType: "This kind of answer is not known:", csvLong: "The label has more than 80 characters:", csvQuote: "A quotation mark is never closed.", csvUnread: "This file could not be read as text.",
  removeTemplate: "Delete this template", removeAsk: "Delete “{name}”? Tasks that used it keep what they pinned.", yesDelete: "Delete", builtIn: "A built-in template stays as it is: make a copy that is yours.", makeOurs: "Make it ours", viewer: "You may look at it, but not change anything.",
};
export type EditorWord = keyof typeof en;

const zh: Record<EditorWord, string> = {
  back: "返回任务设置", title: "编辑模板", version: "版本 {n}", name: "名称", nameZh: "中文名称", description: "用途",
  save: "保存为版本 {n}", saved: "已保存：版本 {n}。", unsaved: "更改尚未保存，由此浏览器暂存。", kept: "这些是暂存而未保存的更改。", discard: "放弃更改", discardAsk: "放弃版本 {n} 之后的所有更改？", yesDiscard: "放弃", keepThem: "保留",
  newer: "其间有人保存了版本 {n}。现在保存会覆盖它：请先查看差异。", problemsN: "保存前有 {n} 处需要修改", problemOne: "保存前有 1 处需要修改",
  addField: "添加字段", addSection: "添加章节", newField: "新字段", newSection: "新章节", section: "章节", noSection: "未分章节", renameSection: "重命名章节 {name}", sectionUp: "章节 {name} 上移", sectionDown: "章节 {name} 下移", sectionName: "章节名称",
  up: "上移", down: "下移", removeField: "删除字段", removed: "已删除“{name}”。", putBack: "恢复", fieldsList: "字段", chooseField: "请在左侧选择字段，或添加一个。",
  label: "标签（英文）", labelZh: "中文标签", key: "键", keyWhy: "导出文件中的列名。内置规则按键识别字段；自定义字段只能由模型回答。", question: "问题", questionWhy: "对每篇文献提出的问题，模型会原样读取：请写明哪些算、哪些不算。", type: "答案类型",
  choices: "选项", choice: "选项 {n}", choiceZh: "选项 {n} 的中文名称", choiceZhShort: "中文名称", cues: "文献中的表述，可用任何语言", cuesWhy: "以逗号分隔，星号代表任意词尾：layer*、分层。只有原文引句中有其中之一，选项才会得到确认。", addChoice: "添加选项", removeChoice: "删除选项 {n}", choiceUp: "选项 {n} 上移", yes: "是", no: "否", optionalChoices: "不设选项时，列表可为任意文本。",
  parts: "每个条目的列", addPart: "添加列", removePart: "删除第 {n} 列", partChoices: "选项，以逗号分隔", newPart: "列",
  needsLabel: "需要标签。", labelTwice: "另一字段已有此标签。", nameForm: "以小写字母开头，后接小写字母、数字或 _，最多 40 个字符。", nameTaken: "此词在结果中另有含义。", nameTwice: "另一字段已有此键。", needsChoices: "至少需要两个选项。", choiceTwice: "有两个选项相同。", choicesMany: "最多 30 个选项，每个 60 个字符以内。", needsFields: "至少需要一个字段。", fieldsMany: "最多 120 个字段。", needsParts: "至少需要一列。", refused: "服务拒绝了此项：{reason}",
  tryIt: "用一篇文献试用", tryWhy: "先把当前内容保存为新版本，再用它读取一篇文献，答案显示在字段旁。", tryPaper: "文献", tryNow: "试用", trySave: "保存并试用", trying: "正在读取“{name}”…", tried: "“{name}”：由 {engine} 按版本 {n} 读取。", tryFailed: "无法读取：{reason}", noPapers: "没有可读的文献，请先在文献库上传。", openTry: "打开其结果表", answer: "此文献的答案",
  versions: "版本", compare: "与之相比的更改", none: "无。", take: "恢复为此版本", added: "新增", removedOne: "删除", changed: "修改：{what}", moved: "移动",
  what_label: "标签", what_labelZh: "中文标签", what_description: "问题", what_section: "章节", what_type: "答案类型", what_options: "选项", what_optionsZh: "选项的中文名称", what_cues: "表述", what_parts: "列",
  csv: "导入表单（CSV）", csvWhy: "每行一个字段；列名：名称、章节、问题、类型、选项（以 ; 或 | 分隔）。确认之前不会添加。", csvFound: "可添加 {n} 个字段。", csvAdd: "添加 {n} 个字段", csvWrongN: "有 {n} 行未采用：", csvLine: "第 {line} 行：{why}{what}", csvNoName: "首行没有“名称”列。", csvType: "不认识的答案类型：", csvLong: "标签超过 80 个字符：", csvQuote: "引号未闭合。", csvUnread: "无法按文本读取此文件。",
  removeTemplate: "删除此模板", removeAsk: "删除“{name}”？用过它的任务会保留当时的版本。", yesDelete: "删除", builtIn: "内置模板保持不变：请先复制一份。", makeOurs: "复制为我们的模板", viewer: "您可以查看，但不能更改。",
};

export const e = spoken({ en, zh });
