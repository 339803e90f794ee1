// What the sheets say, in both languages. It comes with them, not with the page.
import { spoken } from "../words";
import { inChinese, type Told } from "../words/chinese";

const en = {
  none: "No workbooks yet", noneWhy: "Drop a workbook here, or choose one: its sheets are read, cleaned and shown as tables, and every cleaning is told. The file itself stays as it is.",
  accepts: "Excel (.xlsx, .xls), OpenDocument (.ods) or CSV{size}. Files can be dropped anywhere on this page.", upTo: ", up to {size} each", keptFor: "Each is kept for {n} days.", choose: "Choose workbooks",
  dropHere: "Drop to read them as workbooks", dropNot: "Workbooks are dropped on the list of sheets",
  wrongKind: "This is no workbook: .xlsx, .xls, .ods and .csv files can be read. Save it as one of these and drop it again.", tooLarge: "It is larger than a workbook may be here ({size}). Delete what is not needed from it, or save it as several, and drop it again.", emptyFile: "The file is empty. Was it still being written? Save it and drop it again.",
  forgetItem: "Put away", tryAgain: "Try again", failedUpload: "Not uploaded", hashing: "Checking the file", waitingHere: "Waits for its turn here", sendingN: "Uploading: {n} %",
  step_uploading: "Uploading", step_waiting: "Waiting", step_reading: "Reading", step_cleaning: "Cleaning", step_saving: "Saving",
  say_uploading: "The file is on its way, or was never sent. If nobody is sending it, delete this and drop the file again.", say_waiting: "It waits for its turn.", say_reading: "Its sheets are being read.", say_cleaning: "Its values are being cleaned; every cleaning is told.", say_saving: "The clean tables are being saved.", working: "It is being worked on.",
  ready: "Ready", error: "Could not be read", errorTitle: "This workbook could not be read", errorDo: "Open it in a spreadsheet program, without a password, and save it as .xlsx; then delete this one and drop the new file.", errorUnknown: "Nothing more is known.",
  until: "kept until {time}", since: "since {time}", version: "version {n}", open: "Open",
  remove: "Delete", removeAsk: "Delete “{name}”? Its tables and the file itself are deleted. This cannot be undone.", yesRemove: "Delete", keep: "Keep",
  all: "All sheets", sheet: "Sheet", sheetOf: "{name}: {rows} × {columns}", size: "{rows} rows, {columns} columns", dropped: "The file was read into these tables; the file itself stays as it is.",
  problemSheet: "No table could be made of this sheet", noSheets: "This workbook has no tables", noSheetsWhy: "Nothing but blank sheets was found in it.", noRows: "This sheet has no rows", noRowsWhy: "Its headings stand in the columns; beneath them there is nothing.",
  rowN: "Row {n}", grid: "Table of {name}", missing: "missing", unfit: "does not fit its column", isChanged: "changed, not saved", isRemoved: "is removed when saved", notLoaded: "on its way",
  help: "Arrow keys move; Enter or F2 edits a cell, Escape leaves it as it was; Delete empties it. Enter on a heading tells of the column.", helpViewer: "Arrow keys move; Enter on a heading tells of the column.",
  missingN: "{n} missing", invalidN: "{n} invalid", complete: "complete",
  type_integer: "whole number", type_float: "number", type_percent: "percentage", type_date: "date", type_datetime: "date and time", type_boolean: "yes or no", type_category: "category", type_text: "text", type_id: "identifier", type_empty: "empty", type_constant: "one value",
  about: "About this column", column: "Column", header: "Heading in the file", noHeader: "none", unit: "Unit", type: "Type", missingOf: "{n} of {all} ({percent})", missingHead: "Missing", tokens: "Written as", tokenBlank: "(blank)", tokenN: "{token}: {n}", invalidHead: "Invalid", invalidWhy: "They do not fit the column's type and stay the texts that they were:", distinct: "Different values", min: "Least", max: "Greatest", mean: "Mean", top: "Most frequent", topValue: "Value", topTimes: "Times", warnings: "To look at", previous: "Previous column", next: "Next column", close: "Close",
  warn_mixed_types: "Numbers and texts stand side by side in it.", warn_leading_zeros: "Values begin with zeros, as codes do; they were kept.", warn_thousands: "Numbers were written with separators between thousands.", warn_censored: "Some values are bounds, as <5 or >100.", warn_serial_dates: "Dates were written as a spreadsheet's day numbers.", warn_duplicate_header: "Another column has the same heading, so this one has a name of its own.", warn_empty_header: "It has no heading in the file, so it was given a name.", warn_percent_signs: "Values were written with percent signs: 12 % is kept as 0.12.", warn_spellings: "Some values differ only in capital letters.",
  notes: "What was found and done when it was read", notesNone: "Nothing had to be cleaned.", headerAt: "The headings stand in row {n} of the sheet.", examples: "For example: {what}", columnsWarnN: "Columns to look at: {names}", others: "{n} more", listMark: "; ",
  note_rows_above_header: "Rows above the headings, left out: {n}", note_blank_rows: "Blank rows, left out: {n}", note_total_row: "Rows of totals, left out: {n}", note_merged_cells: "Merged cells: {n}; their value stands in the first of them", note_formulas_without_value: "Formulas without a stored value, taken as missing: {n}", note_cells_trimmed: "Cells with blanks around their text, taken away: {n}", note_wide_characters: "Cells with full-width digits, read as numbers: {n}", note_error_values: "Cells with an error such as #DIV/0!, kept as text: {n}", note_blank_columns: "Blank columns, left out: {n}", note_other: "{code}: {n}",
  edit: "Edit", empty: "Empty the cell", removeRow: "Remove row {n}", keepRow: "Keep row {n}", undo: "Undo", editing: "{column}, row {n}", cellActions: "The chosen cell",
  changeOne: "1 change is not saved", changeN: "{n} changes are not saved", save: "Save", discard: "Discard", discardAsk: "Discard all changes that are not saved?", yesDiscard: "Discard", keepThem: "Keep them", kept: "These changes were kept in this tab and never saved.",
  saving: "Saving", savingStep: "Saving: {step}", saved: "Saved: version {n}.", saveFailed: "It could not be saved: {reason} Your changes are kept: try again, or discard them.", unknownReason: "the reason is not known.",
  staleTitle: "Somebody else has saved this workbook", staleWait: "Somebody else is saving it just now, so yours was not taken. Your changes are kept here: wait a moment.", staleWhy: "Version {n} was saved{who} while you were editing, so yours was not taken. Nothing of yours is lost: your changes are kept here and lie over that version in the table.", staleBy: " by {who}", staleClash: "These cells were changed by both:", staleWas: "was {was}, is now {now}, yours: {yours}", staleMoved: "The number of rows has changed too: see that each change of yours stands in the row that you mean.", staleOutside: "Changes whose rows are there no more: {n}", staleTake: "Go on with mine on version {n}", staleTheirs: "Take theirs", staleSame: "All that you changed stands in it already.", nothing: "nothing", staleLook: "Looking at what was changed…", tryNow: "Save again",
  leaveTitle: "Leave without saving?", leaveText: "Your changes are not saved. This tab keeps them until it is closed: you find them here when you come back.", leave: "Leave", stay: "Stay here", sheetText: "Your changes are of this sheet. Save or discard them before you go to another one.",
  download: "Download", original: "The original file", clean: "Clean data (JSON Lines, compressed)", csv: "CSV of this sheet", csvMaking: "Making the CSV…", csvFailed: "The data could not be fetched whole. Try again.", csvDone: "{name} is made.", csvUnsaved: "Files have what is saved, without your changes.", csvDefused: "In the CSV, texts that a spreadsheet would run as a formula have an apostrophe before them.",
  loadFailed: "Rows could not be fetched: {reason}", viewer: "You may look at it, but not change anything.", unsent: "Not sent",
};
export type SheetWord = keyof typeof en;

const zh: Record<SheetWord, string> = {
  none: "还没有数据表", noneWhy: "把工作簿拖到这里，或从电脑选择：系统会读取、清理各工作表并以表格显示，每一处清理都会告知。原文件保持不变。",
  accepts: "Excel（.xlsx、.xls）、OpenDocument（.ods）或 CSV{size}。可拖到此页任意位置。", upTo: "，每个不超过 {size}", keptFor: "每个保留 {n} 天。", choose: "选择工作簿",
  dropHere: "松开即可读取工作簿", dropNot: "请到数据表列表页拖放工作簿",
  wrongKind: "这不是工作簿：可读取 .xlsx、.xls、.ods 和 .csv 文件。请另存为其中一种后重新拖入。", tooLarge: "文件超过此处允许的大小（{size}）。请删去不需要的内容或分成几个文件后重新拖入。", emptyFile: "文件为空，可能尚未写完。请保存后重新拖入。",
  forgetItem: "移除", tryAgain: "重试", failedUpload: "未上传", hashing: "正在核对文件", waitingHere: "在此等待", sendingN: "正在上传：{n} %",
  step_uploading: "上传", step_waiting: "等待", step_reading: "读取", step_cleaning: "清理", step_saving: "保存",
  say_uploading: "文件正在上传，或从未发送。如果没有人在上传，请删除此项并重新拖入文件。", say_waiting: "正在排队。", say_reading: "正在读取工作表。", say_cleaning: "正在清理数值；每一处清理都会告知。", say_saving: "正在保存清理后的表。", working: "正在处理。",
  ready: "已就绪", error: "无法读取", errorTitle: "无法读取此工作簿", errorDo: "请在电子表格软件中打开（不设密码）并另存为 .xlsx，然后删除此项并拖入新文件。", errorUnknown: "没有更多信息。",
  until: "保留至 {time}", since: "{time} 起", version: "第 {n} 版", open: "打开",
  remove: "删除", removeAsk: "删除“{name}”？其表格和原文件都会删除，且无法撤消。", yesRemove: "删除", keep: "保留",
  all: "全部数据表", sheet: "工作表", sheetOf: "{name}：{rows} × {columns}", size: "{rows} 行，{columns} 列", dropped: "文件已读成以下表格；原文件保持不变。",
  problemSheet: "此工作表无法读成表格", noSheets: "此工作簿中没有表格", noSheetsWhy: "其中只有空白工作表。", noRows: "此工作表没有数据行", noRowsWhy: "只有列标题，其下没有内容。",
  rowN: "第 {n} 行", grid: "{name} 的表格", missing: "缺失", unfit: "不符合本列类型", isChanged: "已更改，未保存", isRemoved: "保存时删除", notLoaded: "正在加载",
  help: "方向键移动；Enter 或 F2 编辑单元格，Esc 保持原样；Delete 清空。在列标题上按 Enter 查看该列。", helpViewer: "方向键移动；在列标题上按 Enter 查看该列。",
  missingN: "缺失 {n}", invalidN: "无效 {n}", complete: "完整",
  type_integer: "整数", type_float: "数值", type_percent: "百分数", type_date: "日期", type_datetime: "日期时间", type_boolean: "是或否", type_category: "分类", type_text: "文本", type_id: "标识", type_empty: "空", type_constant: "单一值",
  about: "关于此列", column: "列", header: "文件中的标题", noHeader: "无", unit: "单位", type: "类型", missingOf: "{n} / {all}（{percent}）", missingHead: "缺失", tokens: "写作", tokenBlank: "（空白）", tokenN: "{token}：{n}", invalidHead: "无效", invalidWhy: "不符合该列类型，保持原文：", distinct: "不同的值", min: "最小", max: "最大", mean: "均值", top: "最常见", topValue: "值", topTimes: "次数", warnings: "请注意", previous: "上一列", next: "下一列", close: "关闭",
  warn_mixed_types: "数字与文本混在一列中。", warn_leading_zeros: "有些值以零开头（如编码），已保留。", warn_thousands: "数字写有千位分隔符。", warn_censored: "有些值是界限，如 <5 或 >100。", warn_serial_dates: "日期以电子表格的日序号写成。", warn_duplicate_header: "另一列有相同的标题，因此此列另有名称。", warn_empty_header: "文件中没有标题，因此为它取了名称。", warn_percent_signs: "数值写有百分号：12 % 保留为 0.12。", warn_spellings: "有些值只是大小写不同。",
  notes: "读取时的发现与处理", notesNone: "没有需要清理的内容。", headerAt: "列标题在工作表的第 {n} 行。", examples: "例如：{what}", columnsWarnN: "请注意这些列：{names}", others: "另有 {n} 列", listMark: "；",
  note_rows_above_header: "标题以上的行，未纳入：{n}", note_blank_rows: "空白行，未纳入：{n}", note_total_row: "合计行，未纳入：{n}", note_merged_cells: "合并单元格：{n}；值留在其第一格", note_formulas_without_value: "公式没有存储的值，视为缺失：{n}", note_cells_trimmed: "文字前后有空格的单元格，已去除：{n}", note_wide_characters: "含全角数字的单元格，已读作数值：{n}", note_error_values: "含 #DIV/0! 等错误的单元格，保留为文本：{n}", note_blank_columns: "空白列，未纳入：{n}", note_other: "{code}：{n}",
  edit: "编辑", empty: "清空单元格", removeRow: "删除第 {n} 行", keepRow: "保留第 {n} 行", undo: "撤消", editing: "{column}，第 {n} 行", cellActions: "所选单元格",
  changeOne: "有 1 处更改未保存", changeN: "有 {n} 处更改未保存", save: "保存", discard: "放弃", discardAsk: "放弃所有未保存的更改？", yesDiscard: "放弃", keepThem: "保留", kept: "这些更改暂存在此标签页，尚未保存。",
  saving: "正在保存", savingStep: "正在保存：{step}", saved: "已保存：第 {n} 版。", saveFailed: "未能保存：{reason}您的更改仍在：请重试，或放弃。", unknownReason: "原因不明。",
  staleTitle: "已有他人保存了此工作簿", staleWait: "他人正在保存，因此未采用您的更改。您的更改仍保留在此：请稍候。", staleWhy: "在您编辑期间{who}保存了第 {n} 版，因此未采用您的更改。您的更改没有丢失：仍保留在此，并显示在该版本之上。", staleBy: "{who} ", staleClash: "以下单元格双方都有更改：", staleWas: "原为 {was}，现为 {now}，您的：{yours}", staleMoved: "行数也有变化：请核对您的每处更改是否在正确的行。", staleOutside: "所在行已不存在的更改：{n}", staleTake: "在第 {n} 版上继续我的更改", staleTheirs: "采用对方的", staleSame: "您的更改已全部包含在其中。", nothing: "空", staleLook: "正在查看有何更改…", tryNow: "再次保存",
  leaveTitle: "不保存就离开？", leaveText: "您的更改尚未保存。此标签页关闭之前会一直保留：回到此处即可看到。", leave: "离开", stay: "留在这里", sheetText: "您的更改属于当前工作表。请先保存或放弃，再切换到另一个。",
  download: "下载", original: "原文件", clean: "清理后的数据（JSON Lines，压缩）", csv: "此工作表的 CSV", csvMaking: "正在生成 CSV…", csvFailed: "未能取得完整数据，请重试。", csvDone: "{name} 已生成。", csvUnsaved: "文件只含已保存的内容，不含您未保存的更改。", csvDefused: "CSV 中，会被电子表格当作公式运行的文本前加了撇号。",
  loadFailed: "未能取得数据行：{reason}", viewer: "您可以查看，但不能更改。", unsent: "未发送",
};

// Why a workbook cannot be read, by how the English sentence begins. What is not here is said in English.
const WHY: Told = [
  [/^This workbook is protected/, "工作簿设有密码。请去除密码、保存后重新上传。"],
  [/^This is not a workbook/, "这不是工作簿：可读取 xlsx、xls、ods 和 csv，与文件名无关。请确认是否为所需的文件。"],
  [/^This workbook is damaged|^The reader stopped/, "工作簿已损坏，部分内容缺失或无法读取。请在电子表格软件中打开并另存为 xlsx 后上传。"],
  [/^There is no table/, "文件中没有表格。请确认在您的电脑上是否也为空。"],
  [/^This workbook unpacks/, "工作簿解压后远大于任何表格。请在电子表格软件中打开并另存为 xlsx 后上传。"],
  [/^No row of names/, "数值上方没有列标题行。请在数值上方加一行，为每列写上名称后上传。"],
  [/^Its formulas have no values/, "公式没有计算结果：生成此文件的程序未做计算。请在电子表格软件中打开、保存后上传。"],
  [/^The sheet “.*” has [\d,]+ (rows|columns|cells)|^The sheets have/, "工作表过大。请删去不需要的内容，或分成几个工作簿。"],
  [/^Reading this file takes more/, "读取此文件所需的时间或内存超过任何表格。请在电子表格软件中打开并另存为 xlsx 后上传。"],
  [/^Its file never arrived/, "文件没有到达。请重新上传。"],
  [/^There is no such sheet|^A changed cell lies outside|^Each row needs/, "更改与表格不符：工作表、单元格或列数不存在。"],
];

export const s = spoken({ en, zh });
/** What the service says is wrong with a file, in the language that is spoken. */
export const whyBad = (english: string): string => inChinese(s("listMark") === zh.listMark, WHY, english);
export const some = (n: number, one: SheetWord, more: SheetWord): string => s(n === 1 ? one : more, { n });
/** A word that is made of a code, where there is one for it. */
export const coded = (prefix: string, code: string): string | null => (`${prefix}_${code}` in en ? s(`${prefix}_${code}` as SheetWord) : null);
/** A note of a sheet: its code's words, or the code. */
export const noted = (code: string, n: number): string => (`note_${code}` in en ? s(`note_${code}` as SheetWord, { n }) : s("note_other", { code, n }));
/** Whether it is one of these words. */
export const isWord = (text: string): text is SheetWord => text in en;
