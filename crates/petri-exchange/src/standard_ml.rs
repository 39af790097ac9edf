//! From the text of a Rust closure to Standard ML (Milner, Tofte, Harper and MacQueen, "The definition of Standard ML", 1997)
//! with the functions of CPN Tools: <http://cpntools.org/2018/01/09/color-sets-and-functions>.

use syn::{BinOp, Block, Expr, ExprClosure, ExprMethodCall, Lit, Member, Pat, Stmt, UnOp};

use hotset_petri::{Constant, ExprText};

/// What an expression uses that the language does not have.
pub type UnknownWord = String;

/// What the arcs of a transition are called.
pub struct Scope<'a> {
    /// Their variables.
    pub variables: &'a [String],
    /// Whether numbers can be negative, which matters for division.
    pub signed: bool,
}

/// What code gives for the output arcs.
pub enum ArcTexts {
    /// An expression for each.
    Expressions(Vec<String>),
    /// One for all of them, of which chance decides.
    ByChance(String),
}

/// A guard or the key of a join.
pub fn condition(source: &ExprText, scope: &Scope<'_>) -> Result<String, UnknownWord> {
    let closure = parsed(source)?;
    let mut writer = Writer::new(source, scope);
    let [tokens] = parameters(&closure)?;
    writer.bind_tokens(tokens, scope.variables)?;
    writer.expression(&closure.body)
}

/// What the code of a transition gives for so many arcs.
pub fn code(source: &ExprText, scope: &Scope<'_>, arcs: usize) -> Result<ArcTexts, UnknownWord> {
    let closure = parsed(source)?;
    let mut writer = Writer::new(source, scope);
    let [tokens, firing] = parameters(&closure)?;
    writer.bind_tokens(tokens, scope.variables)?;
    if let Pat::Ident(firing) = firing {
        writer.firing = Some(firing.ident.to_string());
    }
    let all = writer.result(&closure.body, None)?;
    if writer.draws {
        return Ok(ArcTexts::ByChance(all));
    }
    if arcs < 2 {
        return Ok(ArcTexts::Expressions(vec![all; arcs]));
    }
    let part = |at| writer.result(&closure.body, Some(Part { at, of: arcs }));
    (0..arcs)
        .map(part)
        .collect::<Result<_, _>>()
        .map(ArcTexts::Expressions)
}

/// What the closure calls each token, where it has a name.
pub fn names(source: &ExprText, tokens: usize) -> Vec<Option<String>> {
    let closure = parsed(source).ok();
    match closure.as_ref().and_then(|it| it.inputs.first()) {
        Some(Pat::Tuple(tuple)) if tokens > 1 => tuple.elems.iter().map(named).collect(),
        Some(one) if tokens == 1 => vec![named(one)],
        _ => vec![None; tokens],
    }
}

fn named(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(it) => Some(identifier(&it.ident.to_string())),
        Pat::Type(it) => named(&it.pat),
        _ => None,
    }
}

/// A name in Standard ML: those that it has for itself get a prime.
pub fn identifier(name: &str) -> String {
    const TAKEN: &str = "abstype and andalso as case datatype do else empty end exception fn fun handle \
        if in infix infixr input let local ms nonfix not of op open orelse output \
        action raise rec size then time type us val var while with withtype";
    let letters = name.trim_start_matches("r#").trim_start_matches('_');
    let is_taken = TAKEN.split(' ').any(|it| it == letters);
    match is_taken || letters.len() < name.len() {
        true => format!("{letters}'"),
        false => name.to_owned(),
    }
}

/// A value in Standard ML.
pub fn constant(value: &Constant) -> String {
    match value {
        Constant::Bool(it) => it.to_string(),
        Constant::Int(it) => it.to_string().replace('-', "~"),
        Constant::Real(it) => real(*it),
        Constant::Text(it) => text(it),
        Constant::Tuple(parts) => {
            format!(
                "({})",
                Vec::from_iter(parts.iter().map(constant)).join(", ")
            )
        }
        Constant::Record(fields) => {
            record(fields.iter().map(|(name, value)| (*name, constant(value))))
        }
        Constant::Member(of, name) => member(of, name),
        Constant::Other(it) => it.clone(),
    }
}

/// A structure.
fn record<'a>(fields: impl Iterator<Item = (&'a str, String)>) -> String {
    let fields = fields.map(|(name, value)| format!("{} = {value}", identifier(name)));
    format!("{{{}}}", Vec::from_iter(fields).join(", "))
}

/// A member of an enumeration.
pub fn member(of: &str, name: &str) -> String {
    format!("{of}_{name}")
}

/// A number in Standard ML.
pub fn real(number: f64) -> String {
    format!("{number:?}").replace('e', "E").replace('-', "~")
}

/// A text in Standard ML.
fn text(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03}"),
    });
    format!("\"{}\"", String::from_iter(escaped))
}

fn parsed(source: &ExprText) -> Result<ExprClosure, UnknownWord> {
    syn::parse_str(source.text).map_err(|_| "something that is no closure".to_owned())
}

fn parameters<const N: usize>(closure: &ExprClosure) -> Result<[&Pat; N], UnknownWord> {
    let parameters = Vec::from_iter(&closure.inputs);
    parameters
        .try_into()
        .map_err(|_| "another number of parameters".to_owned())
}

/// Brackets around what is more than a word.
fn argument(text: &str) -> String {
    let is_word = text
        .chars()
        .all(|it| it.is_alphanumeric() || "_'.~\"".contains(it));
    let is_closed = text.starts_with(['(', '{']) && closes_at_end(text);
    match is_word || is_closed {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

/// Whether the bracket that a text begins with closes at its end.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0;
    let close = text.char_indices().find(|(_, it)| {
        depth += i32::from("({".contains(*it)) - i32::from(")}".contains(*it));
        depth == 0
    });
    close.is_some_and(|(at, it)| at + it.len_utf8() == text.len())
}

/// Which part of a tuple is wanted.
#[derive(Clone, Copy)]
struct Part {
    at: usize,
    of: usize,
}

struct Writer<'a> {
    /// Names with what they stand for; the last of a name counts.
    known: Vec<(String, String)>,
    scope: &'a Scope<'a>,
    /// What the firing is called.
    firing: Option<String>,
    /// Whether chance decides anything.
    draws: bool,
}

impl<'a> Writer<'a> {
    fn new(source: &ExprText, scope: &'a Scope<'a>) -> Writer<'a> {
        let values = source.values.iter();
        Writer {
            known: values
                .map(|it| (it.0.to_owned(), constant(&it.1)))
                .collect(),
            scope,
            firing: None,
            draws: false,
        }
    }

    /// Binds the pattern of all tokens.
    fn bind_tokens(&mut self, pattern: &Pat, variables: &[String]) -> Result<(), UnknownWord> {
        match (pattern, variables) {
            (_, [one]) => self.bind(pattern, one),
            (Pat::Tuple(tuple), _) if tuple.elems.len() == variables.len() => {
                let mut parts = tuple.elems.iter().zip(variables);
                parts.try_for_each(|(part, variable)| self.bind(part, variable))
            }
            _ => self.bind(pattern, &format!("({})", variables.join(", "))),
        }
    }

    /// Names the parts of a value.
    fn bind(&mut self, pattern: &Pat, value: &str) -> Result<(), UnknownWord> {
        match pattern {
            Pat::Wild(_) => Ok(()),
            Pat::Ident(it) => {
                self.known.push((it.ident.to_string(), value.to_owned()));
                Ok(())
            }
            Pat::Tuple(tuple) => {
                let mut parts = tuple.elems.iter().enumerate();
                parts.try_for_each(|(it, part)| {
                    self.bind(part, &format!("#{} {}", it + 1, argument(value)))
                })
            }
            Pat::Struct(of) => {
                let mut fields = of.fields.iter();
                fields.try_for_each(|it| self.bind(&it.pat, &field(&it.member, value)))
            }
            Pat::Reference(of) => self.bind(&of.pat, value),
            Pat::Paren(of) => self.bind(&of.pat, value),
            Pat::Type(of) => self.bind(&of.pat, value),
            _ => Err("a pattern that may not match".to_owned()),
        }
    }

    /// A part of an expression, looked for where its alternatives and definitions end; or all of it.
    fn result(&mut self, it: &Expr, part: Option<Part>) -> Result<String, UnknownWord> {
        match (it, part) {
            (Expr::Block(it), _) => self.block(&it.block, part),
            (Expr::If(it), _) => {
                let Some((_, other)) = &it.else_branch else {
                    return Err("an `if` without `else`".to_owned());
                };
                let condition = self.expression(&it.cond)?;
                let (then, other) = (
                    self.block(&it.then_branch, part)?,
                    self.result(other, part)?,
                );
                Ok(format!("if {condition} then {then} else {other}"))
            }
            (Expr::Paren(it), Some(_)) => self.result(&it.expr, part),
            (Expr::Tuple(it), Some(part)) if it.elems.len() == part.of => {
                self.expression(&it.elems[part.at])
            }
            (_, Some(part)) => Ok(format!(
                "#{} {}",
                part.at + 1,
                argument(&self.expression(it)?)
            )),
            (_, None) => self.expression(it),
        }
    }

    fn expression(&mut self, it: &Expr) -> Result<String, UnknownWord> {
        match it {
            Expr::Lit(it) => literal(&it.lit),
            Expr::Paren(it) => Ok(format!("({})", self.expression(&it.expr)?)),
            Expr::Group(it) => self.expression(&it.expr),
            Expr::Reference(it) => self.expression(&it.expr),
            Expr::Path(it) => self.name(&it.path),
            Expr::Field(it) => Ok(field(&it.member, &self.expression(&it.base)?)),
            Expr::Tuple(it) => {
                let parts = it.elems.iter().map(|it| self.expression(it));
                let parts: Vec<String> = parts.collect::<Result<_, _>>()?;
                Ok(format!("({})", parts.join(", ")))
            }
            Expr::Struct(it) if it.rest.is_none() => {
                let fields = it.fields.iter().map(|it| match &it.member {
                    Member::Named(name) => Ok((name.to_string(), self.expression(&it.expr)?)),
                    Member::Unnamed(_) => Err("a structure without names".to_owned()),
                });
                let fields: Vec<(String, String)> = fields.collect::<Result<_, _>>()?;
                Ok(record(
                    fields.iter().map(|it| (it.0.as_str(), it.1.clone())),
                ))
            }
            Expr::Unary(it) => {
                let of = self.expression(&it.expr)?;
                match it.op {
                    UnOp::Deref(_) => Ok(of),
                    UnOp::Not(_) => Ok(format!("not {}", argument(&of))),
                    UnOp::Neg(_) => Ok(format!("~{}", argument(&of))),
                    _ => Err("an operator".to_owned()),
                }
            }
            Expr::Binary(it) => {
                let (left, right) = (self.operand(&it.left)?, self.operand(&it.right)?);
                self.binary(&it.op, &left, &right)
            }
            Expr::If(_) | Expr::Block(_) => self.result(it, None),
            Expr::Call(it) => match (&*it.func, it.args.first()) {
                (Expr::Path(path), Some(of)) if path.path.is_ident("Some") => {
                    Ok(format!("1`{}", argument(&self.expression(of)?)))
                }
                _ => Err("a call".to_owned()),
            },
            Expr::MethodCall(it) => self.method(it),
            Expr::Macro(_) => Err("a macro".to_owned()),
            Expr::Closure(_) => Err("a closure in a closure".to_owned()),
            _ => Err("a form of expression".to_owned()),
        }
    }

    /// An operand: alternatives end where the brackets do.
    fn operand(&mut self, it: &Expr) -> Result<String, UnknownWord> {
        let text = self.expression(it)?;
        match it {
            Expr::If(_) | Expr::Block(_) | Expr::MethodCall(_) => Ok(argument(&text)),
            _ => Ok(text),
        }
    }

    fn binary(&self, op: &BinOp, left: &str, right: &str) -> Result<String, UnknownWord> {
        let function = |name: &str| Ok(format!("{name} ({left}, {right})"));
        let word = match op {
            BinOp::Div(_) if self.scope.signed => return function("Int.quot"),
            BinOp::Rem(_) if self.scope.signed => return function("Int.rem"),
            BinOp::Add(_) => "+",
            BinOp::Sub(_) => "-",
            BinOp::Mul(_) => "*",
            BinOp::Div(_) => "div",
            BinOp::Rem(_) => "mod",
            BinOp::Eq(_) => "=",
            BinOp::Ne(_) => "<>",
            BinOp::Lt(_) => "<",
            BinOp::Le(_) => "<=",
            BinOp::Gt(_) => ">",
            BinOp::Ge(_) => ">=",
            BinOp::And(_) => "andalso",
            BinOp::Or(_) => "orelse",
            _ => return Err("an operator".to_owned()),
        };
        Ok(format!("{left} {word} {right}"))
    }

    fn name(&self, path: &syn::Path) -> Result<String, UnknownWord> {
        let words = Vec::from_iter(path.segments.iter().map(|it| it.ident.to_string()));
        let known = |name: &String| {
            self.known
                .iter()
                .rfind(|it| it.0 == *name)
                .map(|it| it.1.clone())
        };
        match &words[..] {
            [none] if none == "None" => Ok("empty".to_owned()),
            [name] => known(name).ok_or_else(|| format!("`{name}` from outside; name it behind the closure, as in `expr!(|it| …; {name})`")),
            [time, zero] if time == "Time" && zero == "ZERO" => Ok("0".to_owned()),
            [of, name] => Ok(member(of, name)),
            _ => Err("a long path".to_owned()),
        }
    }

    /// Definitions, then the expression that they are for. What is recorded is passed over.
    fn block(&mut self, block: &Block, part: Option<Part>) -> Result<String, UnknownWord> {
        let outside = self.known.len();
        let mut definitions = Vec::new();
        let mut value = "()".to_owned();
        for statement in &block.stmts {
            match statement {
                Stmt::Local(it) => {
                    let Some(init) = it.init.as_ref().filter(|it| it.diverge.is_none()) else {
                        return Err("a `let` without a value".to_owned());
                    };
                    let of = self.expression(&init.expr)?;
                    let pattern = self.define(&it.pat)?;
                    definitions.push(format!("val {pattern} = {of}"));
                }
                Stmt::Expr(it, None) => value = self.result(it, part)?,
                Stmt::Expr(Expr::MethodCall(it), Some(_)) if self.records(it) => {}
                _ => return Err("a statement".to_owned()),
            }
        }
        self.known.truncate(outside);
        Ok(match definitions.is_empty() {
            true => value,
            false => format!("let {} in {value} end", definitions.join(" ")),
        })
    }

    /// Names what a `let` defines.
    fn define(&mut self, pattern: &Pat) -> Result<String, UnknownWord> {
        match pattern {
            Pat::Wild(_) => Ok("_".to_owned()),
            Pat::Ident(it) => {
                let name = identifier(&it.ident.to_string());
                self.known.push((it.ident.to_string(), name.clone()));
                Ok(name)
            }
            Pat::Tuple(it) => {
                let parts = it.elems.iter().map(|it| self.define(it));
                let parts: Vec<String> = parts.collect::<Result<_, _>>()?;
                Ok(format!("({})", parts.join(", ")))
            }
            _ => Err("a pattern in a `let`".to_owned()),
        }
    }

    fn method(&mut self, it: &ExprMethodCall) -> Result<String, UnknownWord> {
        let name = it.method.to_string();
        let mut arguments = Vec::new();
        for argument in &it.args {
            arguments.push(self.expression(argument)?);
        }
        match (name.as_str(), &arguments[..]) {
            ("clone", []) => self.expression(&it.receiver),
            ("now", []) if self.is_firing(&it.receiver) => Ok("intTime ()".to_owned()),
            ("chance", [probability]) if self.is_random(&it.receiver) => {
                self.draws = true;
                Ok(format!("uniform (0.0, 1.0) < {probability}"))
            }
            ("below", [bound]) if self.is_random(&it.receiver) => {
                self.draws = true;
                Ok(format!("discrete (0, {bound} - 1)"))
            }
            ("then_some", [value]) => {
                let condition = self.expression(&it.receiver)?;
                Ok(format!(
                    "if {condition} then 1`{} else empty",
                    argument(value)
                ))
            }
            _ => Err(format!("the method `{name}`")),
        }
    }

    /// Whether a statement only records something.
    fn records(&self, it: &ExprMethodCall) -> bool {
        (it.method == "record" || it.method == "record_time") && self.is_firing(&it.receiver)
    }

    fn is_firing(&self, it: &Expr) -> bool {
        matches!(it, Expr::Path(it) if self.firing.as_ref().is_some_and(|name| it.path.is_ident(name)))
    }

    fn is_random(&self, it: &Expr) -> bool {
        matches!(it, Expr::MethodCall(it) if it.method == "random" && self.is_firing(&it.receiver))
    }
}

fn literal(it: &Lit) -> Result<String, UnknownWord> {
    match it {
        Lit::Int(it) => Ok(it.base10_digits().to_owned()),
        Lit::Bool(it) => Ok(it.value.to_string()),
        Lit::Str(it) => Ok(text(&it.value())),
        Lit::Float(it) => it.base10_parse().map(real).map_err(|it| it.to_string()),
        _ => Err("a literal that is no number, text or truth value".to_owned()),
    }
}

/// A field of a value.
fn field(member: &Member, value: &str) -> String {
    match member {
        Member::Named(name) => format!("#{} {}", identifier(&name.to_string()), argument(value)),
        Member::Unnamed(index) => format!("#{} {}", index.index + 1, argument(value)),
    }
}
