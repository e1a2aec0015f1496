"""Word lists by language: entries with a form for every cell of their paradigm, and the script of Chinese text."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..format.fields import parse_pairs

LISTS = Path(__file__).parent / "lists"
NO_FORM = "-"


@dataclass(frozen=True)
class Entry:
    """One word of a list: its lemma, and its form in each cell ("-" where it has none)."""

    lemma: str
    forms: tuple[str, ...]
    group: str
    number: int
    """Its place in the group."""


@dataclass(frozen=True)
class Group:
    """Words that can replace each other; a word whose features contradict `feats` is not one of them."""

    name: str
    feats: Mapping[str, str]
    upos: frozenset[str]
    entries: tuple[Entry, ...]
    cells: tuple[Mapping[str, str], ...]
    """The paradigm: the features that each form of an entry stands for."""
    fixed: frozenset[str] = frozenset()
    """Words that can replace others, but have senses of their own in which no other word replaces them."""


@dataclass(frozen=True)
class Lexicon:
    """A list of words in groups."""

    groups: Mapping[str, Group]
    divided: bool
    """Are the values divided into some to test and some to train with?"""
    unmodified: bool
    """Is a word with a modifier of its own left alone?"""
    bound: bool = False
    """Is a word that is part of a fixed expression left alone?"""

    @cached_property
    def by_form(self) -> dict[str, list[Entry]]:
        entries: dict[str, list[Entry]] = {}
        for group in self.groups.values():
            for entry in group.entries:
                for form in dict.fromkeys(entry.forms):
                    if form != NO_FORM:
                        entries.setdefault(form, []).append(entry)
        return entries

    def fitting(self, entry: Entry, form: str, feats: Mapping[str, str]) -> list[int]:
        """The cells in which the entry has this form and whose features the word does not contradict."""
        paradigm = self.groups[entry.group].cells
        cells = [n for n, cell in enumerate(paradigm) if entry.forms[n] == form and compatible(cell, feats)]
        # A cell that the word's features name in full says more than one that they merely allow.
        most = max((len(paradigm[n].items() & feats.items()) for n in cells), default=0)
        return [n for n in cells if len(paradigm[n].items() & feats.items()) == most]

    def form_in(self, entry: Entry, cells: Sequence[int]) -> str | None:
        """The form that the entry has in all these cells; None where it has none or several.

        Cells of the same features are choices: the first will do.
        """
        if len({tuple(self.groups[entry.group].cells[n].items()) for n in cells}) == 1:
            cells = cells[:1]
        forms = {entry.forms[n] for n in cells}
        return forms.pop() if len(forms) == 1 and NO_FORM not in forms else None


def compatible(wanted: Mapping[str, str], feats: Mapping[str, str]) -> bool:
    """Does no feature contradict? `Masc,Neut` allows both."""
    return all(value in feats[name].split(",") for name, value in wanted.items() if name in feats)


@cache
def raw_lists(language: str) -> dict[str, Any]:
    """The file of a language."""
    return tomllib.loads((LISTS / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def lexicon(language: str, name: str) -> Lexicon:
    """A list of a language, such as `names`."""
    return lexicon_of(raw_lists(language)[name])


def lexicon_of(table: Mapping[str, Any]) -> Lexicon:
    """A list as its file has it; what is not said in a group holds for all of them."""
    genitive = table.get("genitive", "")
    groups = {}
    for key, group in table["groups"].items():
        upos = frozenset(group.get("upos", table.get("upos", ["PROPN"])))
        cells = [parse_pairs(cell) for cell in group.get("cells", table.get("cells", [""]))]
        if genitive:
            cells = [{}, {"Case": "Gen"}]
        entries = []
        # A list of strings with all forms of a word, or one string of words that have one form.
        values = group["values"]
        for number, value in enumerate(values.split() if isinstance(values, str) else list(values)):
            forms = _with_genitive(value, genitive) if genitive else _forms(value, len(cells))
            entries.append(Entry(forms[0], forms, key, number))
        fixed = frozenset(group.get("fixed", "").split())
        groups[key] = Group(key, group.get("feats", {}), upos, tuple(entries), tuple(cells), fixed)
    return Lexicon(groups, table.get("divided", True), table.get("unmodified", False), table.get("bound", False))


def _forms(value: str, count: int) -> tuple[str, ...]:
    """A word that has one form has it in every cell."""
    forms = value.split()
    if len(forms) not in (1, count):
        raise ValueError(f"{value!r} has {len(forms)} forms for {count} cells")
    return tuple(forms * count) if len(forms) == 1 else tuple(forms)


def _with_genitive(word: str, rule: str) -> tuple[str, ...]:
    """The genitive in -s. After s, ß, x and z German needs an apostrophe (no form here), Swedish needs nothing."""
    if word[-1] in "sßxz":
        return word, word if rule == "s or nothing" else NO_FORM
    return word, f"{word}s"


# Pairs of a simplified character and its traditional counterpart, without those that both scripts write (后, 台).
_PAIRS = """
于於 国國 们們 这這 说說 时時 会會 对對 为為 个個 来來 发發 过過 学學 长長 东東 车車 马馬 门門 开開
关關 见見 现現 实實 从從 还還 进進 动動 经經 问問 间間 样樣 当當 将將 军軍 两兩 给給 让讓 谁誰 请請
话話 语語 读讀 书書 写寫 认認 识識 记記 讲講 谈談 论論 议議 词詞 译譯 课課 试試 诉訴 证證 评評 详詳
误誤 调調 谢謝 护護 报報 设設 许許 访訪 该該 诗詩 诚誠 诺諾 谋謀 谓謂 质質 负負 财財 责責 败敗 账賬
货貨 贩販 贪貪 购購 贯貫 贵貴 贴貼 贸貿 费費 贺賀 资資 赋賦 赌賭 赏賞 赔賠 赖賴 赛賽 赞讚 赢贏 赵趙
趋趨 跃躍 踪蹤 轨軌 转轉 轮輪 软軟 轰轟 轻輕 载載 较較 辅輔 辆輛 辈輩 输輸 辑輯 边邊 达達 迁遷 迈邁
运運 违違 连連 远遠 适適 选選 递遞 逻邏 遗遺 邓鄧 邮郵 邻鄰 郑鄭 酱醬 酿釀 释釋 针針 钟鐘 钢鋼 钱錢
铁鐵 铜銅 银銀 销銷 锁鎖 锋鋒 错錯 键鍵 锦錦 镇鎮 镜鏡 闭閉 闲閒 闻聞 闹鬧 阁閣 阅閱 阳陽 阴陰 阵陣
阶階 际際 陆陸 陈陳 险險 随隨 隐隱 难難 雾霧 静靜 韩韓 页頁 顶頂 项項 顺順 须須 顾顧 顿頓 预預 领領
颇頗 频頻 题題 颜顏 额額 风風 飞飛 饭飯 饮飲 馆館 驾駕 驶駛 驻駐 验驗 骑騎 骗騙 鱼魚 鸟鳥 鸡雞 鸣鳴
鸿鴻 麦麥 黄黃 齐齊 齿齒 龙龍 龟龜 专專 业業 严嚴 丧喪 丰豐 临臨 举舉 义義 乌烏 乐樂 习習 乡鄉 买買
乱亂 争爭 亏虧 亚亞 产產 亲親 亿億 仅僅 仓倉 仪儀 价價 众眾 优優 传傳 伟偉 伤傷 伦倫 侦偵 侧側 债債
倾傾 偿償 儿兒 党黨 兰蘭 兴興 养養 兽獸 内內 册冊 农農 决決 况況 冻凍 净淨 凤鳳 凯凱 击擊 刘劉 则則
刚剛 创創 删刪 别別 剂劑 剑劍 剧劇 办辦 务務 劳勞 势勢 励勵 劲勁 区區 医醫 华華 协協 单單 卖賣 卢盧
卫衛 厂廠 厅廳 历歷 压壓 厌厭 县縣 参參 双雙 变變 叙敘 叶葉 号號 叹嘆 启啟 吴吳 员員 听聽 呜嗚 响響
团團 园園 围圍 图圖 圆圓 圣聖 场場 坏壞 块塊 坚堅 坛壇 垒壘 垦墾 堕墮 墙牆 壮壯 声聲 处處 备備 复復
够夠 头頭 夺奪 奋奮 奖獎 妆妝 妇婦 妈媽 孙孫 宁寧 宝寶 审審 宪憲 宫宮 宽寬 宾賓 寻尋 导導 寿壽 尔爾
尘塵 尝嘗 尽盡 层層 属屬 岁歲 岂豈 岛島 峡峽 币幣 师師 带帶 帮幫 库庫 应應 庙廟 庆慶 庄莊 庞龐 废廢
广廣 张張 弹彈 强強 归歸 录錄 彻徹 忆憶 忧憂 怀懷 态態 怜憐 总總 恋戀 恶惡 悬懸 惊驚 惧懼 惨慘 惯慣
愤憤 愿願 戏戲 战戰 户戶 扑撲 执執 扩擴 扫掃 扬揚 扰擾 抚撫 抢搶 担擔 拟擬 拥擁 择擇 挂掛 挡擋 挤擠
挥揮 损損 换換 据據 掳擄 摄攝 摆擺 摇搖 撑撐 敌敵 数數 断斷 无無 旧舊 显顯 晋晉 晓曉 暂暫 术術 机機
杀殺 杂雜 权權 条條 极極 构構 枪槍 标標 栋棟 栏欄 树樹 桥橋 桩樁 梦夢 检檢 楼樓 横橫 欢歡 欧歐 歼殲
残殘 毁毀 毕畢 毙斃 气氣 汇匯 汉漢 汤湯 沟溝 没沒 沪滬 泪淚 泽澤 洁潔 浅淺 测測 济濟 浓濃 涛濤 润潤
涨漲 渐漸 渔漁 温溫 湾灣 湿濕 满滿 滥濫 滨濱 滩灘 潜潛 灭滅 灯燈 灵靈 灾災 炉爐 点點 炼煉 烂爛 烦煩
烧燒 热熱 爱愛 爷爺 牵牽 牺犧 犹猶 狭狹 独獨 狱獄 猎獵 猪豬 猫貓 献獻 环環 玛瑪 电電 画畫 畅暢 疗療
疯瘋 痒癢 监監 盖蓋 盘盤 盗盜 睁睜 矫矯 矿礦 码碼 础礎 确確 礼禮 祸禍 离離 种種 积積 称稱 稳穩 穷窮
窃竊 窑窯 竞競 笔筆 筑築 简簡 签簽 类類 粮糧 红紅 约約 级級 纪紀 纯純 纲綱 纳納 纵縱 纷紛 纸紙 线線
练練 组組 细細 织織 终終 绍紹 结結 绕繞 绘繪 络絡 绝絕 统統 继繼 绩績 续續 维維 绿綠 编編 缘緣 缩縮
网網 罗羅 罚罰 罢罷 职職 联聯 聪聰 肃肅 肠腸 肤膚 肿腫 胁脅 胜勝 脑腦 脚腳 脸臉 舰艦 舱艙 艰艱 艺藝
节節 苏蘇 苹蘋 荐薦 荡蕩 荣榮 药藥 莱萊 获獲 萨薩 蓝藍 虑慮 虽雖 蛮蠻 补補 装裝 袭襲 规規 视視 览覽
觉覺 触觸 誉譽 计計 订訂 训訓 讯訊 诊診 诈詐 诞誕 谊誼 谐諧 体體
"""
_PAIRED = _PAIRS.split()
_SIMPLIFIED = frozenset(pair[0] for pair in _PAIRED)
_TRADITIONAL = frozenset(pair[1] for pair in _PAIRED)


def script_of(text: str) -> str:
    """`Hant` where a Chinese text has more signs of the traditional script than of the simplified one."""
    traditional = sum(char in _TRADITIONAL for char in text)
    return "Hant" if traditional > sum(char in _SIMPLIFIED for char in text) else "Hans"
