// What the choices of the built-in templates are called. A template of one's own says its own.
const CHOICES: Record<string, [string, string]> = {
  results: ["Results", "结果报告"], protocol: ["Protocol", "研究方案"], secondary_analysis: ["Secondary analysis", "二次分析"], pilot: ["Pilot", "预试验"],
  parallel: ["Parallel", "平行"], crossover: ["Crossover", "交叉"], cluster: ["Cluster", "整群"], factorial: ["Factorial", "析因"], stepped_wedge: ["Stepped wedge", "阶梯楔形"],
  superiority: ["Superiority", "优效性"], noninferiority: ["Non-inferiority", "非劣效性"], equivalence: ["Equivalence", "等效性"], exploratory: ["Exploratory", "探索性"],
  experimental: ["Experimental", "试验组"], active: ["Active control", "阳性对照"], placebo: ["Placebo", "安慰剂"], usual_care: ["Usual care", "常规治疗"], no_treatment: ["No treatment", "无干预"],
  computer: ["Computer", "计算机"], table: ["Random number table", "随机数字表"], minimisation: ["Minimisation", "最小化法"], coin: ["Coin or dice", "掷币或掷骰"], nonrandom: ["Not random", "非随机"], not_reported: ["Not reported", "未报告"],
  simple: ["Simple", "简单"], block: ["Blocks", "区组"], stratified: ["Stratified", "分层"], central: ["Central", "中心分配"], sealed_envelope: ["Sealed envelopes", "密封信封"], pharmacy: ["Pharmacy", "药房"],
  open: ["Open", "开放"], single: ["Single-blind", "单盲"], double: ["Double-blind", "双盲"], triple: ["Triple-blind", "三盲"],
  participant: ["Participants", "受试者"], provider: ["Care providers", "干预实施者"], assessor: ["Outcome assessors", "结局评价者"], analyst: ["Analysts", "分析者"],
  binary: ["Binary", "二分类"], continuous: ["Continuous", "连续"], time_to_event: ["Time to event", "时间－事件"], count: ["Count", "计数"],
  itt: ["Intention to treat", "意向性分析"], mitt: ["Modified intention to treat", "改良意向性分析"], per_protocol: ["Per protocol", "符合方案集"], other: ["Other", "其他"],
  up: ["Up", "升高"], down: ["Down", "降低"], no_difference: ["No difference", "无差异"],
  prospective: ["Prospective", "前瞻性"], retrospective: ["Retrospective", "回顾性"], ambispective: ["Ambispective", "双向性"], nested_case_control: ["Nested case-control", "巢式病例对照"], registry: ["Registry", "登记研究"], cross_sectional_not_cohort: ["Cross-sectional, no cohort", "横断面（非队列）"],
  rct: ["Randomised trial", "随机对照试验"], cohort: ["Cohort", "队列研究"],
};
const ANSWERS: Record<string, [string, string]> = { Y: ["Yes", "是"], PY: ["Probably yes", "可能是"], PN: ["Probably no", "可能否"], N: ["No", "否"], NI: ["No information", "无信息"], NA: ["Does not arise", "不涉及"] };

/** A field's choice in words; where a question spells its letters out, with that. */
export function choiceIn(isChinese: boolean, field: { name: string; description?: string; options: readonly string[]; optionsZh?: Record<string, string> }, code: string): string {
  if (!field.options.includes(code)) return code;
  const own = field.optionsZh?.[code];
  if (own && isChinese) return own;
  const answer = field.name.startsWith("rob_") ? ANSWERS[code] : CHOICES[code];
  if (answer) return answer[isChinese ? 1 : 0];
  const spelt = /^[a-d]$/.test(code) && new RegExp(`[:,] ${code} ([^,.]+)`).exec(field.description ?? "")?.[1];
  return spelt ? `${code}: ${spelt}` : code;
}
